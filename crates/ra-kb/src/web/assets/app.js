// Search while typing, shortcuts, copying and live updates. Every page works without this script: it only fetches parts
// of the same pages. Parts come from our own server, which escapes and sanitizes all text of documents.
"use strict";
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));

  // Puts a part of a page into an element. The policy of the page keeps anything in it from running.
  const put = (element, text) => {
    const parsed = new DOMParser().parseFromString(text, "text/html");
    element.replaceChildren(...parsed.body.childNodes);
    prepare(element);
  };
  const fetchText = async (url, signal) => {
    const response = await fetch(url, { signal, headers: { accept: "text/html" } });
    return { ok: response.ok, text: await response.text(), headers: response.headers };
  };
  const say = (text) => { const live = $("#live"); if (live) live.textContent = text; };

  // --- search while typing: one request at a time; a newer one aborts the older
  const form = $("#search");
  const answer = $("#answer");
  let searching = null;
  let pending = null;
  const paramsOf = (form) => {
    const params = new URLSearchParams(new FormData(form));
    if (params.get("sort") === "score") params.delete("sort");
    return params;
  };
  const show = async (params, history, keepOpen) => {
    if (searching) searching.abort();
    const mine = searching = new AbortController();
    const url = params.toString() ? "/?" + params : "/";
    answer.setAttribute("aria-busy", "true");
    const part = new URLSearchParams(params);
    part.set("part", "results");
    try {
      const { text } = await fetchText("/?" + part, mine.signal);
      const open = keepOpen ? all("details[open]", answer).map(pathOf) : [];
      putAnswer(text);
      open.forEach((path) => { const found = all("details", answer).find((it) => pathOf(it) === path); if (found) found.open = true; });
      answer.dataset.params = params.toString();
      document.title = (params.get("q") || "").trim() ? params.get("q") + " · ra" : "ra";
      if (history === "push") window.history.pushState(null, "", url);
      if (history === "replace") window.history.replaceState(null, "", url);
      countSoon(params);
      measureSoon();
    } catch (error) {
      if (error.name !== "AbortError") say("The server does not answer.");
    } finally {
      if (searching === mine) { searching = null; answer.removeAttribute("aria-busy"); }
    }
  };
  // The results come without counts. The filters that are there stay until the new ones come.
  const putAnswer = (text) => {
    const filters = $(".filters", answer);
    put(answer, text);
    const fresh = $(".filters", answer);
    if (filters && fresh) fresh.replaceWith(filters);
  };
  let counting = null;
  let countTimer = null;
  const countSoon = (params) => {
    clearTimeout(countTimer);
    if (counting) counting.abort();
    if (!$(".filters", answer)) return;
    countTimer = setTimeout(async () => {
      counting = new AbortController();
      const part = new URLSearchParams(params);
      part.set("part", "filters");
      try {
        const { ok, text } = await fetchText("/?" + part, counting.signal);
        const old = $(".filters", answer);
        if (!ok || !old) return;
        const focus = old.contains(document.activeElement) && document.activeElement.getAttribute("href");
        const parsed = new DOMParser().parseFromString(text, "text/html").querySelector(".filters");
        if (!parsed) return;
        old.replaceWith(parsed);
        prepare(parsed.parentElement.querySelector(".filters"));
        if (focus) { const again = all("a", answer).find((a) => a.getAttribute("href") === focus); if (again) again.focus(); }
      } catch (error) { /* A newer request took its place. */ }
    }, 120);
  };
  // Names a <details> by its result and its place in it.
  const pathOf = (details) => {
    const hit = details.closest(".hit");
    return (hit ? $(".title", hit).getAttribute("href") : "") + "|" + details.className + "|" + $("summary", details).textContent;
  };
  if (form && answer) {
    const field = $("#q");
    const typed = () => {
      clearTimeout(pending);
      pending = setTimeout(() => show(paramsOf(form), "replace", false), 0);
    };
    field.addEventListener("input", typed);
    $("#sort").addEventListener("change", () => show(paramsOf(form), "push", false));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(pending);
      show(paramsOf(form), "push", false);
    });
    answer.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-swap]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      const params = new URL(link.href).searchParams;
      setForm(params);
      show(params, "push", false).then(() => { const count = $("#count"); if (count) count.focus(); });
    });
    window.addEventListener("popstate", () => {
      const params = new URL(location.href).searchParams;
      setForm(params);
      show(params, "", false);
    });
  }
  // Makes the form say what an address says.
  const setForm = (params) => {
    $("#q").value = params.get("q") || "";
    $("#sort").value = params.get("sort") || "score";
    all("input[type=hidden]", form).forEach((input) => input.remove());
    for (const [name, value] of params) {
      if (["tree", "path", "tag", "field", "type", "lang"].includes(name)) {
        const input = document.createElement("input");
        Object.assign(input, { type: "hidden", name, value });
        form.append(input);
      }
    }
  };

  // --- the text to copy, and its tokens
  let measuring = null;
  let context = "";
  // Waits until the typing pauses: the answer itself comes first.
  const measureSoon = () => { clearTimeout(soon); soon = setTimeout(measure, 200); };
  let soon = null;
  const measure = async () => {
    const copying = $("#copying");
    if (!copying) return;
    if (measuring) measuring.abort();
    measuring = new AbortController();
    const params = new URLSearchParams(new FormData(copying));
    try {
      const { ok, text, headers } = await fetchText("/context.txt?" + params, measuring.signal);
      if (!ok) return;
      context = text;
      const tokens = Number(headers.get("x-tokens")), budget = Number(headers.get("x-budget"));
      const meter = $("#meter");
      meter.max = budget;
      meter.value = tokens;
      meter.hidden = false;
      $("#tokens").textContent = tokens.toLocaleString("en") + " of " + budget.toLocaleString("en") + " tokens";
    } catch (error) { /* A newer request took its place. */ }
  };
  const copyText = async (text, button) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch (error) {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    const before = button.dataset.label || button.textContent;
    button.dataset.label = before;
    button.textContent = "Copied";
    say("Copied");
    setTimeout(() => { button.textContent = before; }, 1500);
  };

  // --- what parts of pages need
  const load = async (element) => {
    const url = element.dataset.load;
    element.removeAttribute("data-load");
    element.dataset.loaded = url;
    element.setAttribute("aria-busy", "true");
    const { ok, text } = await fetchText(url).catch(() => ({ ok: false }));
    element.removeAttribute("aria-busy");
    if (ok) put(element, text);
  };
  const prepare = (root) => {
    all("button.copy", root).forEach((button) => { button.hidden = false; });
    const copy = $("#copy", root);
    if (copy) {
      copy.type = "button";
      copy.textContent = "Copy";
      copy.addEventListener("click", () => copyText(context, copy));
      $("#budget", root).addEventListener("change", measure);
    }
    if (window.matchMedia("(max-width: 48rem)").matches) {
      const filters = root.matches && root.matches(".filters") ? $("details", root) : $(".filters > details", root);
      if (filters && !$(".chosen", filters)) filters.open = false;
    }
    all("[data-load]", root).forEach(load);
    all("a[data-load-here]", root).forEach((link) => link.addEventListener("click", async (event) => {
      event.preventDefault();
      const section = link.closest("section");
      link.textContent = "Searching…";
      const { ok, text } = await fetchText(link.dataset.loadHere).catch(() => ({ ok: false }));
      if (ok) put(section, text); else location.href = link.href;
    }));
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.copy");
    if (button) copyText(button.dataset.copy, button);
  });
  prepare(document);
  measure();

  // --- the citation of the section in the address
  const citation = $("#citation");
  const cite = async () => {
    if (!citation || !location.hash.startsWith("#s-")) return;
    const id = citation.dataset.document + "#" + decodeURIComponent(location.hash.slice(3));
    const { ok, text } = await fetchText("/cite?" + new URLSearchParams({ id })).catch(() => ({ ok: false }));
    const button = $("button.copy", citation);
    if (!ok || !button) return;
    $("code", citation).textContent = text;
    button.dataset.copy = text;
  };
  window.addEventListener("hashchange", cite);
  cite();

  // --- the section being read: the outline names it, and the editor opens its line
  const openEditor = $("#open-editor");
  const wholeFile = openEditor && { href: openEditor.getAttribute("href"), text: openEditor.textContent };
  const locate = () => {
    const sections = all(".document .prose [id^='s-']").filter((it) => it.getClientRects().length > 0);
    const top = (it) => it.getClientRects()[0].top;
    let now = scrollY > 40 ? sections.findLast((it) => top(it) < innerHeight * 0.35) : undefined;
    // At the end of the page, what the address names can't move to the top.
    const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    if (atEnd && sections.includes(named) && top(named) > 0 && top(named) < innerHeight) now = named;
    all(".outline a").forEach((link) => {
      if (now && decodeURIComponent(link.hash.slice(1)) === now.id) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    });
    const edit = now && $(".edit", now);
    if (openEditor) {
      openEditor.setAttribute("href", edit ? edit.getAttribute("href") : wholeFile.href);
      openEditor.textContent = edit ? wholeFile.text + " at line " + edit.dataset.line : wholeFile.text;
    }
  };
  if ($(".document")) {
    let waiting = false;
    const later = () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; locate(); });
    };
    for (const event of ["scroll", "resize", "hashchange", "load"]) window.addEventListener(event, later, { passive: true });
    locate();
  }

  // --- the arguments of a tool
  const tool = $("#tool");
  if (tool) tool.addEventListener("change", () => { $("#arguments").value = tool.selectedOptions[0].dataset.example; });

  // --- keys
  const titles = () => all(".hit .title");
  const step = (by) => {
    const list = titles();
    const now = list.findIndex((title) => title.closest(".hit").contains(document.activeElement));
    const next = now + by;
    if (next < 0 && form) { $("#q").focus(); return; }
    if (list[next]) { list[next].focus(); list[next].closest(".hit").scrollIntoView({ block: "nearest" }); }
  };
  const toggle = (name) => {
    const hit = document.activeElement && document.activeElement.closest(".hit");
    const details = hit && $("details." + name, hit);
    if (details) details.open = !details.open;
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target.closest("input, textarea, select");
    const field = $("#q");
    if (event.key === "Escape" && field && document.activeElement !== field && !$("#help").open) { field.focus(); field.select(); return; }
    if (inField) {
      if (event.target === field && event.key === "ArrowDown") { event.preventDefault(); step(1); }
      return;
    }
    const keys = {
      "/": () => { if (field) { field.focus(); field.select(); } else location.href = "/"; },
      "j": () => step(1), "ArrowDown": () => step(1), "k": () => step(-1), "ArrowUp": () => step(-1),
      "o": () => toggle("passage"), "e": () => toggle("why"),
      "c": () => { const copy = $("#copy"); if (copy) copy.click(); },
      "?": () => $("#help").showModal(),
    };
    const isArrow = event.key.startsWith("Arrow");
    if (isArrow && !(document.activeElement && document.activeElement.closest(".hit"))) return;
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });

  // --- live: the page follows the index
  // The commit that the page shows; a newer one may be there before the first event.
  let generation = ($("[data-generation]") || document.body).dataset.generation || null;
  let renewing = null;
  const follow = async () => {
    say("Updating…");
    if (form && answer) {
      const focus = document.activeElement && document.activeElement.closest("#answer") && document.activeElement.getAttribute("href");
      await show(paramsOf(form), "", true);
      if (focus) { const again = all("a", answer).find((a) => a.getAttribute("href") === focus); if (again) again.focus({ preventScroll: true }); }
    } else if ($("[data-document]")) {
      const params = new URLSearchParams(location.search);
      params.set("part", "1");
      const { ok, text } = await fetchText(location.pathname + "?" + params).catch(() => ({ ok: false }));
      const parsed = ok && new DOMParser().parseFromString(text, "text/html");
      for (const selector of ["article.document", "nav.outline"]) {
        const old = $(selector), now = parsed && parsed.querySelector(selector);
        if (old && now && old.outerHTML !== now.outerHTML) { old.replaceWith(now); prepare(now); }
      }
      all("[data-loaded]").forEach((element) => { element.dataset.load = element.dataset.loaded; });
      prepare(document.querySelector("aside.about"));
      locate();
    } else if ($(".health")) {
      const { ok, text } = await fetchText(location.href).catch(() => ({ ok: false }));
      const now = ok && new DOMParser().parseFromString(text, "text/html").querySelector("main");
      if (now) {
        // What takes long to make stays until it is made again.
        ["#problems", "#retrieval"].forEach((id) => { if ($(id) && $(id, now)) $(id, now).replaceWith($(id)); });
        $("main").replaceWith(now);
        clearTimeout(renewing);
        renewing = setTimeout(() => {
          const problems = $("#problems");
          if (!problems || !problems.dataset.loaded) return;
          problems.dataset.load = problems.dataset.loaded;
          load(problems);
        }, 1500);
      }
    }
    say("Updated " + new Date().toLocaleTimeString());
  };
  if (window.EventSource) {
    const events = new EventSource("/events");
    events.addEventListener("generation", (event) => {
      const before = generation;
      generation = event.data;
      document.body.dataset.generation = generation;
      if (before !== null && before !== generation) follow();
      else say("Live");
    });
    events.addEventListener("error", () => { if (events.readyState !== EventSource.OPEN) say("Not connected"); });
    window.addEventListener("pagehide", () => events.close());
  }
})();
