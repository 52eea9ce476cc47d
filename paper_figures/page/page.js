// What the page does beyond links: pictures open in place, a link to a folded experiment unfolds it.
(function () {
  "use strict";
  var dialog = document.getElementById("large");
  var image = dialog.querySelector("img");
  var links = Array.prototype.slice.call(document.querySelectorAll("a.picture"));
  var current = -1;

  // Pictures of folded parts cannot be stepped to.
  function visible(link) {
    return link.getClientRects().length > 0;
  }

  function show(index) {
    current = index;
    var link = links[index];
    image.src = link.href;
    image.alt = link.querySelector("img").alt;
    image.parentNode.href = link.href;
    dialog.querySelector("p").textContent = image.alt;
    if (!dialog.open) dialog.showModal();
  }

  function step(by) {
    for (var i = current + by; i >= 0 && i < links.length; i += by)
      if (visible(links[i])) return show(i);
  }

  links.forEach(function (link, index) {
    link.addEventListener("click", function (event) {
      if (event.ctrlKey || event.metaKey || event.shiftKey || !dialog.showModal) return;
      event.preventDefault();
      show(index);
    });
  });
  dialog.querySelector("button").addEventListener("click", function () { dialog.close(); });
  dialog.addEventListener("click", function (event) { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", function (event) {
    if (event.key === "ArrowRight") step(1);
    if (event.key === "ArrowLeft") step(-1);
  });

  // Words of a folded part are a script that calls skinlightBody: a page from a disk may read nothing else.
  window.skinlightBody = function (id, words) {
    document.getElementById(id).querySelector(".body").innerHTML = words;
  };
  document.addEventListener("toggle", function (event) {
    var script = event.target.open && event.target.getAttribute("data-script");
    if (!script) return;
    event.target.removeAttribute("data-script");
    document.body.appendChild(Object.assign(document.createElement("script"), {src: script}));
  }, true);

  function unfold() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var part = target; part; part = part.parentElement)
      if (part.tagName === "DETAILS") part.open = true;
    if (target) target.scrollIntoView();
  }
  window.addEventListener("hashchange", unfold);
  unfold();
})();
