"""The HTML report in a real headless Chromium."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.answers.conftest import record
from tests.answers.test_standing import ANSWER
from warehouse import evidence_summary

selenium = pytest.importorskip("selenium", reason="selenium is not installed")

from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

HOSTILE = '<script>document.title="taken"</script><img src=x onerror=document.title="taken"> "\'>'
ROWS = [
    record(1, "A", "guideline", title="Zebra", year=2021, sample_size=None),
    record(2, "B", "rct", title=HOSTILE, year=2019, sample_size=1000, nct_ids=["NCT00000001"]),
    record(3, "B", "cohort", title="apple", year=2023, sample_size=90),
    record(4, "D", "case_report", title="Mango", year=2020, sample_size=1, abstract=None),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    driver, program = shutil.which("chromedriver"), shutil.which("chromium")
    if not driver or not program:
        pytest.skip("chromium and chromedriver are not installed: apt-get install chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    found = webdriver.Chrome(options=options, service=Service(driver))
    found.set_window_size(1200, 900)
    yield found
    found.quit()


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Any:
    path = tmp_path / "report.html"
    evidence_summary(ROWS, "html", str(path), lang="en", query=HOSTILE)
    browser.get_log("performance")
    browser.get(path.as_uri())
    yield browser
    assert browser.get_log("browser") == []


def column(page: Any, number: int) -> list[str]:
    cells = page.find_elements(By.CSS_SELECTOR, f".records tbody tr td:nth-child({number})")
    return [cell.text.splitlines()[0] if cell.text else "" for cell in cells]


def head(page: Any, number: int) -> Any:
    return page.find_element(By.CSS_SELECTOR, f".records th:nth-child({number})")


def test_it_opens_and_asks_for_nothing_else(page: Any) -> None:
    log = page.get_log("performance")
    asked = [e["message"] for e in log if '"Network.requestWillBeSent"' in e["message"]]
    assert all("file:///" in text or '"data:' in text for text in asked) and asked


def test_hostile_text_stays_text(page: Any) -> None:
    assert page.title.startswith("Evidence report") and "<script>" in page.title
    assert HOSTILE in column(page, 2)
    assert page.find_elements(By.TAG_NAME, "img") == []
    assert len(page.find_elements(By.TAG_NAME, "script")) == 1


def test_nothing_but_its_own_script_may_run(page: Any) -> None:
    page.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.taken = 1';"
        "document.body.append(s);"
    )
    assert page.execute_script("return window.taken") is None
    (refused,) = page.get_log("browser")
    assert "Content Security Policy" in refused["message"]


def test_it_sorts_numbers_words_and_grades(page: Any) -> None:
    assert column(page, 1) == ["A", "B", "B", "D"]
    button = head(page, 4).find_element(By.TAG_NAME, "button")
    button.click()
    assert column(page, 4) == ["1", "90", "1,000", ""]
    assert head(page, 4).get_attribute("aria-sort") == "ascending"
    button.click()
    assert column(page, 4) == ["1,000", "90", "1", ""]  # unknown stays last
    head(page, 2).find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)  # by keyboard
    titles = [title for title in column(page, 2) if title != HOSTILE]
    assert titles == ["apple", "Mango", "Zebra"]
    assert head(page, 4).get_attribute("aria-sort") is None


def test_abstracts_fold(page: Any) -> None:
    folded = page.find_elements(By.CSS_SELECTOR, ".records details")
    assert len(folded) == 3 and not any(part.get_attribute("open") for part in folded)
    text = folded[0].find_element(By.TAG_NAME, "p")
    assert not text.is_displayed()
    folded[0].find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    assert text.is_displayed() and "Answer 1 holds." in text.text
    page.find_element(By.ID, "expand").click()
    assert all(part.get_attribute("open") for part in folded)
    page.find_element(By.ID, "collapse").click()
    assert not any(part.get_attribute("open") for part in folded)


def test_the_filter(page: Any) -> None:
    page.find_element(By.ID, "filter").send_keys("mango")
    rows = page.find_elements(By.CSS_SELECTOR, ".records tbody tr")
    assert [row.is_displayed() for row in rows].count(True) == 1
    assert page.find_element(By.ID, "status").text == "1 / 4 records shown"


def test_the_pyramid(page: Any) -> None:
    drawing = page.find_element(By.CSS_SELECTOR, "svg[role=img]")
    assert len(drawing.find_elements(By.TAG_NAME, "polygon")) == 6
    counts = [text.text for text in drawing.find_elements(By.CSS_SELECTOR, "text.on")]
    assert counts == ["1", "0", "1", "1", "0", "1"]
    ids = drawing.get_attribute("aria-labelledby").split()
    said = [page.find_element(By.ID, name).get_attribute("textContent") for name in ids]
    assert said[0] == "Evidence pyramid" and "Guidelines, consensus: 1" in said[1]


def test_links(page: Any) -> None:
    found = {a.get_attribute("href") for a in page.find_elements(By.CSS_SELECTOR, ".records a")}
    assert {
        "https://pubmed.ncbi.nlm.nih.gov/2/", "https://clinicaltrials.gov/study/NCT00000001",
    } <= found  # fmt: skip


def colours(page: Any, scheme: str, media: str = "") -> tuple[str, str]:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
    body = page.find_element(By.TAG_NAME, "body")
    return body.value_of_css_property("background-color"), body.value_of_css_property("color")


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.split("(")[1].rstrip(")").split(",")[:3]]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    a, b = sorted((luminance(one), luminance(other)), reverse=True)
    return (a + 0.05) / (b + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_have_contrast(page: Any, scheme: str) -> None:
    """WCAG 2.1 AA: 4.5 to 1 for text, in the body, links, notes and grade badges."""
    paper, ink = colours(page, scheme)
    assert (luminance(paper) > 0.5) is (scheme == "light")
    assert contrast(paper, ink) >= 7
    for selector in (".note", ".records a", ".meta"):
        text = page.find_element(By.CSS_SELECTOR, selector).value_of_css_property("color")
        assert contrast(paper, text) >= 4.5, selector
    for badge in page.find_elements(By.CSS_SELECTOR, ".grade"):
        behind = badge.value_of_css_property("background-color")
        assert contrast(behind, badge.value_of_css_property("color")) >= 4.5, badge.text
    for level in page.find_elements(By.CSS_SELECTOR, "svg polygon:not(.empty)"):
        number = level.find_element(By.XPATH, "following-sibling::*[1]")
        fills = (level.value_of_css_property("fill"), number.value_of_css_property("fill"))
        assert contrast(*fills) >= 4.5
    colours(page, "light")


def test_print(page: Any) -> None:
    paper, ink = colours(page, "dark", "print")
    assert luminance(paper) > 0.9 and luminance(ink) < 0.1
    assert not page.find_element(By.CSS_SELECTOR, ".tools").is_displayed()
    colours(page, "light")
    import base64

    printed = page.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    assert base64.b64decode(printed["data"]).startswith(b"%PDF")


def test_structure_for_screen_readers(page: Any) -> None:
    assert page.find_element(By.TAG_NAME, "html").get_attribute("lang") == "en"
    assert len(page.find_elements(By.TAG_NAME, "h1")) == 1
    for tag in ("header", "main", "footer"):
        assert len(page.find_elements(By.TAG_NAME, tag)) == 1
    ids = page.execute_script("return [...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    for part in page.find_elements(By.CSS_SELECTOR, "section"):
        assert part.accessible_name
    for name in ("input", ".records th button", "summary"):
        for part in page.find_elements(By.CSS_SELECTOR, name):
            assert part.accessible_name
    page.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    first = page.switch_to.active_element
    assert first.get_attribute("class") == "skip" and first.get_attribute("href").endswith(
        "#records"
    )


def test_no_sideways_scrolling_on_a_phone(page: Any) -> None:
    metrics = {"width": 360, "height": 700, "deviceScaleFactor": 1, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        wide = page.execute_script("return document.documentElement.scrollWidth")
        assert wide <= 360
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_it_reads_without_script(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "plain.html"
    evidence_summary(ROWS, "html", str(path), lang="zh")
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(path.as_uri())
        assert len(browser.find_elements(By.CSS_SELECTOR, ".records tbody tr")) == 4
        assert browser.find_element(By.CSS_SELECTOR, ".tools").get_attribute("hidden") is not None
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_limits_the_answer_is_seen_first(browser: Any, tmp_path: Path, scheme: str) -> None:
    path = tmp_path / "limited.html"
    evidence_summary(ROWS, "html", str(path), lang="en", query="q", answer=ANSWER)
    browser.get(path.as_uri())
    paper, _ = colours(browser, scheme)
    items = browser.find_elements(By.CSS_SELECTOR, "header .standing li")
    warnings = [item for item in items if "warns" in (item.get_attribute("class") or "")]
    assert len(warnings) == 5 and warnings == items[:5]
    assert "pubmed-eutils gave no answer" in warnings[0].text and warnings[0].is_displayed()
    assert "<b>503</b>" in warnings[0].text and not browser.find_elements(By.TAG_NAME, "b")
    assert any("PubMed up to 2026-11-20" in item.text for item in items)
    for item in items:
        behind = item.value_of_css_property("background-color")
        behind = paper if behind.endswith(", 0)") else behind
        for part in (item, *item.find_elements(By.TAG_NAME, "strong")):
            assert contrast(behind, part.value_of_css_property("color")) >= 4.5
    below = browser.find_element(By.ID, "grades").location["y"]
    assert all(item.location["y"] < below for item in items)
    assert browser.get_log("browser") == []
    colours(browser, "light")
