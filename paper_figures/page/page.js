// What the page does beyond links: pictures open in place, an experiment's words come when it is unfolded, a link to
// something folded unfolds it.
(function () {
  "use strict";
  var dialog = document.getElementById("large");
  var image = dialog.querySelector("img");
  var current = null;

  function all(selector, part) {
    return Array.prototype.slice.call((part || document).querySelectorAll(selector));
  }

  function show(link) {
    current = link;
    image.src = link.href;
    image.alt = link.querySelector("img").alt;
    image.parentNode.href = link.href;
    dialog.querySelector("p").textContent = image.alt;
    if (!dialog.open) dialog.showModal();
  }

  // Pictures of folded parts cannot be stepped to.
  function step(by) {
    var links = all("a.picture").filter(function (link) { return link === current || link.getClientRects().length > 0; });
    var next = links[links.indexOf(current) + by];
    if (next) show(next);
  }

  function plain(event) { return !(event.ctrlKey || event.metaKey || event.shiftKey); }

  document.addEventListener("click", function (event) {
    var link = event.target.closest("a.picture");
    if (!link || !plain(event) || !dialog.showModal) return;
    event.preventDefault();
    show(link);
  });
  dialog.querySelector("button").addEventListener("click", function () { dialog.close(); });
  dialog.addEventListener("click", function (event) { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", function (event) {
    if (event.key === "ArrowRight") step(1);
    if (event.key === "ArrowLeft") step(-1);
  });

  // Words of a folded part are a script that calls skinlightBody: a page from a disk may read nothing else. Until they are
  // there, and where they cannot be had, a link to an experiment's own page stands in their place.
  function load(part) {
    var script = part.open && part.getAttribute("data-script");
    if (!script) return;
    part.removeAttribute("data-script");
    document.body.appendChild(Object.assign(document.createElement("script"), {src: script, onerror: function () {
      part.setAttribute("data-script", script);
    }}));
  }
  window.skinlightBody = function (id, words) {
    var part = document.getElementById(id), body = part.querySelector(".body");
    body.innerHTML = words;
    body.dispatchEvent(new CustomEvent("skinlight-body", {bubbles: true}));
    if (everything) open(all("details", body));
    var target = named();
    if (target && body.contains(target)) unfold();
  };
  document.addEventListener("toggle", function (event) { load(event.target); }, true);

  function open(parts) {
    parts.forEach(function (part) { part.open = true; });
  }

  var everything = false, button = document.getElementById("unfold-all");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", function () {
      everything = true;
      open(all("details"));
    });
  }

  // The element that the address names; a claim's name is that of its experiment, a dot and its own.
  function hash() { return decodeURIComponent(location.hash.slice(1)); }
  function named() { return hash() && document.getElementById(hash()); }

  function unfold() {
    var target = named() || document.getElementById(hash().split(".")[0]);
    if (!target) return;
    for (var part = target; part; part = part.parentElement)
      if (part.tagName === "DETAILS") part.open = true;
    if (target.tagName === "TR") target.tabIndex = -1;
    target.scrollIntoView();
    // Whoever goes on with the keyboard goes on from there.
    var stop = target.tagName === "TR" ? target : target.querySelector(":scope > summary");
    if (stop) stop.focus({preventScroll: true});
  }
  window.addEventListener("hashchange", unfold);
  unfold();

  // A link to a claim on its experiment's own page leads to the same claim on this one, where the experiment is here.
  document.addEventListener("click", function (event) {
    var link = event.target.closest("a[href*='.html#']");
    if (!link || !plain(event) || !document.getElementById(decodeURIComponent(link.hash.slice(1)).split(".")[0])) return;
    event.preventDefault();
    if (location.hash === link.hash) unfold(); else location.hash = link.hash;
  });
})();
