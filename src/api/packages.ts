/** Requests for packages that several pages send. */
import { PACKAGES } from '@nodebell/contract/api/packages.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client';

export const packagesKey = ['packages'] as const;

export const packagesQuery = () =>
  queryOptions({
    queryKey: [...packagesKey, 'list'],
    queryFn: ({ signal }) => call(PACKAGES.listPackages, { signal }),
  });
