import { expect, it } from 'vitest';
import { LEVELS } from './dialects.ts';

it.each([
  ['requirements', ['minimumDappnodeVersion'], ['minimumDockerVersion', 'notInstalledPackages']],
  ['globalEnvs', ['all'], []],
  ['globalEnvs/*', [], ['envs', 'services']],
  ['chain', [], ['driver', 'serviceName', 'portNumber']],
  ['warnings', ['onInstall', 'onUpdate', 'onReset', 'onRemove'], ['onPatchUpdate', 'onMinorUpdate', 'onMajorUpdate']],
  [
    'exposable/*',
    ['name', 'description', 'serviceName', 'port', 'fromSubdomain'],
    ['exposeByDefault', 'external', 'dnpName'],
  ],
])('members of %s that the specification defines, and those that only DAppNode has', (path, known, foreign) =>
  expect(LEVELS[path]).toEqual({ known, foreign })
);

it('members at the top', () => {
  const { known = [], foreign = [] } = LEVELS[''] ?? {};
  expect(known).toEqual(expect.arrayContaining(['$schema', 'name', 'license', 'backup', 'links']));
  expect(foreign).toEqual(expect.arrayContaining(['upstream', 'runOrder', 'avatar', 'prometheusTargets']));
  expect(known.filter((member) => foreign.includes(member))).toEqual([]);
});
