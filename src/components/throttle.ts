export interface Throttled {
  (): void;
  cancel: () => void;
}

/** Runs at once, and then at most every so often; a call in between is made up for at the end. */
export function throttle(run: () => void, everyMs: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  const fire = () => {
    run();
    timer = setTimeout(() => {
      timer = undefined;
      if (again) {
        again = false;
        fire();
      }
    }, everyMs);
  };
  const throttled = () => {
    if (timer === undefined) {
      fire();
    } else {
      again = true;
    }
  };
  return Object.assign(throttled, {
    cancel: () => {
      clearTimeout(timer);
      timer = undefined;
      again = false;
    },
  });
}
