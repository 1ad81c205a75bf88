// Formulas, and a box above the tables of commands that hides the rows without its words.
for (const place of document.querySelectorAll(".math")) {
  katex.render(place.textContent, place, { displayMode: true, throwOnError: true })
}
const list = document.querySelector(".filtered")
if (list) {
  const box = document.createElement("input")
  box.className = "filter"
  box.type = "search"
  box.placeholder = `Filter: type a word, such as ${list.dataset.word || "resize"}`
  box.setAttribute("aria-label", "Filter the rows")
  list.before(box)
  box.addEventListener("input", () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const row of document.querySelectorAll(list.dataset.rows || "article tbody tr")) {
      const text = row.textContent.toLowerCase()
      row.hidden = !words.every(word => text.includes(word))
    }
  })
}
