/**
 * On the page of a link that was answered: shows what came of the answer as soon as the program has said so. It asks for
 * the page again, often while the program goes on, and else ever more rarely.
 */
const place = document.querySelector("#result");
let pause = 1000;

async function look() {
  let isReached = true;
  if (!document.hidden) {
    try {
      const response = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const now = page.querySelector("#result");
      if (now) show(now);
    } catch {
      isReached = false;
    }
  }
  const { status } = place.dataset;
  // A server that only asked this one question has gone.
  if (status === "done" || status === "failed" || !isReached && status !== "running") return;
  pause = Math.min(pause * 1.2, status === "running" ? 2000 : 15000);
  setTimeout(look, pause);
}

function show(now) {
  for (const part of ["b", "span"]) {
    const text = now.querySelector(part).textContent;
    if (place.querySelector(part).textContent !== text) place.querySelector(part).textContent = text;
  }
  place.dataset.status = now.dataset.status;
}

if (place) setTimeout(look, pause);
