/**
 * A view of an object that cannot be changed, like the one that Grafana 12.4 passes to links as their context: each member that is an
 * object is wrapped the same way when it is read. As in Grafana, reading such a member of a frozen object throws a TypeError, because
 * a proxy must return the value itself of a member that is neither writable nor configurable.
 */
export function readOnly<T extends object>(value: T): T {
  return new Proxy(value, {
    get: (target, name, receiver) => {
      const found: unknown = Reflect.get(target, name, receiver);
      return typeof found === 'object' && found !== null ? readOnly(found) : found;
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  });
}
