import type { PackageSummary } from '@nodebell/contract/package.ts';
import { listPackages } from '../api/packages';

/**
 * Settings of a panel option that selects packages: registered ones or custom names.
 * @param isOffered filters the suggested packages; default: all
 */
export const packageChoices = (isOffered: (pkg: PackageSummary) => boolean = () => true) => ({
  options: [],
  allowCustomValue: true,
  getOptions: async () =>
    (await listPackages()).filter(isOffered).map(({ dnpName }) => ({ value: dnpName, label: dnpName })),
});
