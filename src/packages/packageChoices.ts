import type { PackageSummary } from '@nodebell/contract/package.ts';
import { listPackages } from '../api/packages';

/**
 * Settings of a panel's option that names packages: those that are registered, or any other name.
 * @param isOffered which of them; all when it is left out
 */
export const packageChoices = (isOffered: (pkg: PackageSummary) => boolean = () => true) => ({
  options: [],
  allowCustomValue: true,
  getOptions: async () =>
    (await listPackages()).filter(isOffered).map(({ dnpName }) => ({ value: dnpName, label: dnpName })),
});
