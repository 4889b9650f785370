/** Preloaded into the bridge: names are resolved by the DNS server that LOCAL_DNS names, over the network, each time anew. */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';

const resolver = new dns.promises.Resolver({ timeout: 2000, tries: 1 });
resolver.setServers([process.env.LOCAL_DNS]);

async function lookup(host) {
  if (isIP(host)) {
    return [{ address: host, family: isIP(host) }];
  }
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...(four.value ?? []).map((address) => ({ address, family: 4 })),
    ...(six.value ?? []).map((address) => ({ address, family: 6 })),
  ];
  if (found.length === 0) {
    throw Object.assign(new Error(`no address of ${host}`), { code: 'ENOTFOUND' });
  }
  return found;
}
dns.promises.lookup = lookup;
// For connections whose name has not been resolved before.
dns.lookup = (host, options, callback) =>
  lookup(host).then(
    (all) => (options.all ? callback(null, all) : callback(null, all[0].address, all[0].family)),
    (error) => callback(error)
  );
syncBuiltinESMExports();
