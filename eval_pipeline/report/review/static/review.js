"use strict";
// Keys, zoom, and a decision that is kept in this browser until the ledger has it.
(() => {
  const body = document.body;
  const page = body.dataset;
  const notice = document.getElementById("notice");
  const OUTBOX = `eval-pipeline-review:${page.project}:`; // one entry a decision that is not stored yet
  const ASLEEP_MS = 300; // a key that is pressed twice shall not decide the next pair as well
  const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 15000];
  const shown = performance.now();
  let isWorking = false;

  function tell(text, kind) {
    notice.textContent = text;
    notice.className = "notice " + (kind || "");
    notice.hidden = !text;
  }

  const pause = (ms) => new Promise((done) => setTimeout(done, ms));

  async function send(path, content) {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(content),
    });
    const told = await answer.json();
    if (answer.ok) return told;
    throw Object.assign(new Error(told.error || answer.statusText), { isKept: Boolean(told.is_kept) });
  }

  // Until it is stored: a ledger that is busy or broken and a server that is away are waited for; what is wrong in what
  // was sent is told and let go.
  async function sendUntilStored(path, content) {
    for (let tries = 0; ; tries += 1) {
      try {
        return await send(path, content);
      } catch (error) {
        if (error.isKept === false) throw error;
        const ms = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)];
        const why = error.isKept ? error.message : "the server does not answer";
        tell(`Not stored yet: ${why}. It is kept here and sent again in ${ms / 1000} s.`, "wait");
        await pause(ms);
      }
    }
  }

  function keep(job) {
    const name = OUTBOX + performance.timeOrigin + "-" + performance.now();
    localStorage.setItem(name, JSON.stringify(job));
    return name;
  }
  const kept = () => Object.keys(localStorage).filter((name) => name.startsWith(OUTBOX)).sort();

  // what an earlier window could not bring to an end, in order
  async function sendKept() {
    const names = kept();
    if (!names.length) return;
    isWorking = true;
    body.classList.add("working");
    const faults = [];
    for (const name of names) {
      try {
        const job = JSON.parse(localStorage.getItem(name));
        if (job) await sendUntilStored(job.path, job.content);
      } catch (error) { faults.push(error.message); }
      localStorage.removeItem(name);
    }
    if (faults.length) tell(`A decision kept from before could not be stored: ${faults.join("; ")}`, "bad");
    else location.reload();
    isWorking = false;
    body.classList.remove("working");
  }

  async function work(job) {
    if (isWorking) return;
    isWorking = true;
    body.classList.add("working");
    const name = keep(job);
    try {
      const told = await sendUntilStored(job.path, job.content);
      localStorage.removeItem(name);
      tell("");
      if (told.changed_by && told.changed_by.length) return announce(told, job);
      location.assign(told.next);
    } catch (error) {
      localStorage.removeItem(name);
      tell(error.message, "bad");
      isWorking = false;
      body.classList.remove("working");
    }
  }

  function announce(told, job) {
    const said = told.changed_by.map((voice) => `${voice.author}, ${voice.kind}, said ${voice.grade} at ${voice.when}`);
    const end = told.is_contested ? " The pair is contested until a third decides." : "";
    tell(`This pair has changed while you looked: ${said.join("; ")}. Your decision, ${job.content.grade}, is stored beside it.${end} `, "wait");
    const on = document.createElement("button");
    on.id = "go-on";
    on.textContent = "Go on (Enter)";
    on.addEventListener("click", () => location.assign(told.next));
    notice.append(on);
    on.focus();
  }

  const pair = () => ({ reviewer: page.reviewer, question_id: page.question, unit_id: page.unit, queue: page.queue });

  function decide(grade) {
    const reason = document.getElementById("reason").value.trim();
    work({ path: "/decide", content: { ...pair(), state: page.state, grade, reason } });
  }
  function undo(label) {
    if (label) work({ path: "/undo", content: { reviewer: page.reviewer, label_id: label, queue: page.queue || "" } });
  }
  function skip() { if (page.queue) work({ path: "/skip", content: pair() }); }

  async function reveal() {
    const place = document.getElementById("answers");
    if (!page.mine || !place.hidden) return;
    try {
      const told = await send("/reveal", pair());
      place.replaceChildren(...(told.answers.length ? told.answers.map(paragraph) : [plain("No model was asked about this pair.")]));
      place.hidden = false;
      document.getElementById("reveal")?.remove();
    } catch (error) { tell(error.message, "bad"); }
  }
  function plain(text) { const p = document.createElement("p"); p.textContent = text; return p; }
  function paragraph(one) {
    const p = plain(`Model ${one.judge}, ${one.verb}: `);
    const said = document.createElement("strong");
    said.className = one.outcome;
    said.textContent = one.outcome;
    p.append(said, `. ${one.reason}`);
    return p;
  }

  // zoom: 0 is the width of the frame, the others are shares of the picture's own width
  const ZOOMS = [0, 1, 1.5, 2, 3];
  let zoom = 0;
  function setZoom(level, at) {
    const picture = document.getElementById("picture"), frame = picture.parentElement;
    const before = picture.getBoundingClientRect(), edge = frame.getBoundingClientRect();
    const x = at ? (at.clientX - before.left) / before.width : 0.5, y = at ? (at.clientY - before.top) / before.height : (edge.top - before.top) / before.height;
    zoom = Math.max(0, Math.min(ZOOMS.length - 1, level));
    picture.style.width = zoom ? `${picture.naturalWidth * ZOOMS[zoom]}px` : "";
    frame.classList.toggle("near", zoom > 0);
    document.getElementById("zoom-told").textContent = zoom ? `${ZOOMS[zoom] * 100} %` : "fit";
    if (zoom && at) frame.scrollTo(picture.offsetWidth * x - (at.clientX - edge.left), picture.offsetHeight * y - (at.clientY - edge.top));
  }

  const KEYS = {
    1: () => decide("sufficient"), 2: () => decide("supporting"), 3: () => decide("irrelevant"),
    u: () => undo(page.mine || page.last), s: skip, m: reveal,
    z: () => setZoom(zoom ? 0 : 2), "+": () => setZoom(zoom + 1), "=": () => setZoom(zoom + 1), "-": () => setZoom(zoom - 1),
    t: () => toggle(".text"), r: () => { toggle(".why"); document.getElementById("reason").focus(); },
  };
  function toggle(name) { const place = document.querySelector(name); place.open = !place.open; }

  function onKey(event) {
    const typing = event.target.matches("input, textarea, select");
    if (event.key === "Escape" && typing) { event.target.blur(); return; }
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (performance.now() - shown < ASLEEP_MS) return;
    const act = KEYS[event.key.toLowerCase()];
    if (act && !isWorking) { event.preventDefault(); act(); }
  }

  function startPair() {
    document.addEventListener("keydown", onKey);
    document.querySelectorAll("[data-grade]").forEach((one) => one.addEventListener("click", () => decide(one.dataset.grade)));
    document.getElementById("undo").addEventListener("click", () => undo(page.mine || page.last));
    document.getElementById("skip").addEventListener("click", skip);
    document.getElementById("reveal")?.addEventListener("click", reveal);
    document.querySelectorAll("[data-zoom]").forEach((one) => one.addEventListener("click", () => {
      const by = Number(one.dataset.zoom);
      setZoom(by ? zoom + by : (zoom ? 0 : 2));
    }));
    const frame = document.querySelector(".frame");
    document.getElementById("picture").addEventListener("dblclick", (event) => setZoom(zoom ? 0 : 2, event));
    let held = null;
    frame.addEventListener("pointerdown", (event) => {
      if (zoom && event.pointerType === "mouse") { held = { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop }; frame.setPointerCapture(event.pointerId); }
    });
    frame.addEventListener("pointermove", (event) => { if (held) frame.scrollTo(held.left + held.x - event.clientX, held.top + held.y - event.clientY); });
    ["pointerup", "pointercancel"].forEach((name) => frame.addEventListener(name, () => { held = null; }));
    setTimeout(() => { page.ready = "yes"; }, ASLEEP_MS);
  }

  document.querySelectorAll(".take-back").forEach((one) => one.addEventListener("click", () => undo(one.dataset.label)));
  document.getElementById("refresh")?.addEventListener("click", async (event) => {
    event.target.disabled = true;
    tell("Reading the project again ...", "wait");
    try { location.assign((await sendUntilStored("/refresh", {})).next); } catch (error) { tell(error.message, "bad"); }
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  if (body.classList.contains("pair")) startPair();
  sendKept();
})();
