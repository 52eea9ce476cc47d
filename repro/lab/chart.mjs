// The curve of errors over a clip. A click goes to that time.
import uPlot from 'uplot';

// The curve breaks at frames without area, which have no error.
const gaps = (means) => [...means].map((mean) => (Number.isNaN(mean) ? null : mean));

export class Chart {
  constructor(place, seek) {
    Object.assign(this, {place, seek, time: 0});
    new ResizeObserver(() => this.plot?.setSize({width: place.clientWidth, height: 220})).observe(place);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.last && this.show(...this.last));
  }
  show(seconds, lines) {
    this.last = [seconds, lines];
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(name).trim();
    const axis = {stroke: colour('--soft'), grid: {stroke: colour('--line'), width: 1}, ticks: {stroke: colour('--line'), width: 1}};
    this.plot = new uPlot({
      width: this.place.clientWidth, height: 220, cursor: {y: false}, scales: {x: {time: false}, y: {range: (_, low, high) => [0, Math.max(high * 1.1, 0.1)]}},
      series: [{label: 'seconds', value: (_, v) => v?.toFixed(2) ?? ''},
        ...lines.map(({label, variable}) => ({label, stroke: colour(variable), width: 2, points: {show: false}, value: (_, v) => v === null ? '' : `${v?.toFixed(2)}°`}))],
      axes: [{...axis, values: (_, ticks) => ticks.map((t) => `${t} s`)}, {...axis, values: (_, ticks) => ticks.map((t) => `${t}°`)}],
      hooks: {draw: [(plot) => this.#drawTime(plot, colour('--ink'))]},
    }, [[...seconds], ...lines.map(({means}) => gaps(means))], this.place);
    this.plot.over.addEventListener('click', () => {
      if (this.plot.cursor.left >= 0) this.seek(this.plot.posToVal(this.plot.cursor.left, 'x'));
    });
  }
  #drawTime({ctx, bbox, valToPos}, colour) {
    const x = Math.round(valToPos(this.time, 'x', true));
    ctx.save();
    ctx.fillStyle = colour;
    ctx.fillRect(x, bbox.top, Math.max(1, devicePixelRatio), bbox.height);
    ctx.restore();
  }
  at(time) {
    this.time = time;
    this.plot?.redraw(false);
  }
}
