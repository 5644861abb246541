/** Expressions that tests evaluate inside a page. Texts, because the tests themselves are compiled without the DOM. */

/** Opaque colours on the canvas of the assets, `r,g,b` → number of pixels. */
export const CANVAS_COLOURS = `(() => {
  const canvas = document.querySelector('.leaflet-overlay-pane canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const seen = {};
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] !== 255) continue;
    const key = data[i] + ',' + data[i + 1] + ',' + data[i + 2];
    seen[key] = (seen[key] ?? 0) + 1;
  }
  return seen;
})()`;

/** Pixels by which the page is wider than its window. */
export const SIDEWAYS_OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Controls that a screen reader could not name. */
export const NAMELESS_CONTROLS = `[...document.querySelectorAll('button, input, select, textarea, a[href], [role=img], [role=region]')]
  .filter((one) => {
    const named = [one.getAttribute('aria-label'), one.getAttribute('title'), one.textContent, one.closest('label')?.textContent];
    const labelled = one.id !== '' && document.querySelector('label[for="' + CSS.escape(one.id) + '"]') !== null;
    return !labelled && named.every((text) => (text ?? '').trim() === '');
  })
  .map((one) => one.outerHTML.slice(0, 120))`;

/** Contrast of the text of the first element of each selector (WCAG 2.2, 1.4.3). */
export const contrastOf = (selectors: readonly string[]): string => `(() => {
  const parse = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((one) => {
      const s = one / 255;
      return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  return ${JSON.stringify(selectors)}.map((selector) => {
    const one = document.querySelector(selector);
    const [a, b] = [light(parse(getComputedStyle(one).color)), light(background(one))];
    return { selector, ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
  });
})()`;
