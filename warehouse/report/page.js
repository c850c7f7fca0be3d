(() => {
  "use strict";
  const table = document.querySelector("table.records");
  const tools = document.querySelector(".tools");
  if (!table || !tools) return;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const status = document.getElementById("status");
  const key = (row, column) => row.cells[column].dataset.key || "";

  const compare = (column, numeric, sign) => (one, other) => {
    const a = key(one, column), b = key(other, column);
    // what is not known stands last in both directions
    if (a === "" || b === "") return (a === "") - (b === "");
    return sign * (numeric ? a - b : a.localeCompare(b, document.documentElement.lang));
  };

  for (const head of table.tHead.rows[0].cells) {
    const button = head.querySelector("button");
    if (!button) continue;
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const numeric = head.classList.contains("number") || head.dataset.order === "number";
      body.append(...rows.sort(compare(head.cellIndex, numeric, down ? -1 : 1)));
      status.textContent = button.textContent + " " + (down ? "\u2193" : "\u2191");
    });
  }

  const setOpen = (open) => () => {
    for (const part of body.querySelectorAll("details")) part.open = open;
  };
  document.getElementById("expand").addEventListener("click", setOpen(true));
  document.getElementById("collapse").addEventListener("click", setOpen(false));

  const filter = document.getElementById("filter");
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += !row.hidden;
    }
    status.textContent = shown + " / " + rows.length + " " + status.dataset.shown;
  });
  tools.hidden = false;
})();
