"""What a user should know about the limits of a search, whatever it found."""

import re

_CHINESE = re.compile(r"[\u4e00-\u9fff]|\b(?:chi|chinese)\s*\[(?:la|lang)", re.IGNORECASE)
CHINESE = "PubMed does not index many Chinese journals: search CNKI and Wanfang beside this"


def hints(query: str) -> list[str]:
    """Notices that ``query`` itself calls for: one in Chinese, or for papers in Chinese.

    >>> hints("asthma AND chinese[la]") == [CHINESE] and hints("asthma") == []
    True
    """
    return [CHINESE] if _CHINESE.search(query) else []
