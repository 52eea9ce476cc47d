// Questions to the worker, and another worker when one dies.
export class Refused extends Error {}
export class Broken extends Error {}

export class Service {
  #waiting = new Map();
  #next = 0;
  constructor(died) {
    this.died = died;
    this.#start();
  }
  #start() {
    this.worker = new Worker('worker.js');
    this.worker.onmessage = ({data: {id, answer, refused, broken}}) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (refused !== undefined) waiting?.reject(new Refused(refused));
      else if (broken !== undefined) this.#restart(broken, waiting);
      else waiting?.resolve(answer);
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.#restart(event.message || 'the worker ended');
    };
  }
  // The module's memory is not to be trusted after a defect.
  #restart(reason, first) {
    this.worker.terminate();
    const waiting = [first, ...this.#waiting.values()].filter(Boolean);
    this.#waiting.clear();
    this.#start();
    for (const {reject} of waiting) reject(new Broken(reason));
    this.died(reason);
  }
  ask(ask, message = {}) {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, {resolve, reject});
      this.worker.postMessage({id, ask, ...message});
    });
  }
}
