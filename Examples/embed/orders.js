import { ask } from "https://ask.example.com/okcancel.js";

const post = (path) => fetch(path, { method: "POST" });

async function cancel(number, left) {
  const { link } = await (await post(`/orders/${number}/asks`)).json();
  const { outcome, id } = await ask({ link });
  if (outcome !== "ok") return;
  // Not the values: anybody could send those. The backend looks up what was answered.
  const { quantity, news } = await (await post(`/orders/${number}/asks/${id}`)).json();
  left.textContent = quantity;
  document.getElementById("news").textContent = `Order ${number}: ${news}`;
}

const orders = await (await fetch("/orders")).json();
for (const [number, { item, quantity }] of Object.entries(orders)) {
  const row = document.getElementById("orders").insertRow(), button = document.createElement("button");
  for (const text of [number, item, quantity]) row.insertCell().textContent = text;
  row.insertCell().append(button);
  Object.assign(button, { textContent: `Cancel ${number}…`, onclick: () => cancel(number, row.cells[2]) });
}
