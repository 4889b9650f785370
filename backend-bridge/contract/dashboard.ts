/** The dashboards of a package, whole: GET /api/v1/packages/{dnpName}/dashboards. */
import { z } from 'zod';
import { string } from './schema.ts';
import { packageDashboardSchema } from './package.ts';

export const dashboardFileSchema = packageDashboardSchema
  .extend({
    file: string('The file in the package.').optional(),
    dashboard: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        "Grafana's JSON model, to be sent as `dashboard` to POST /api/dashboards/db. Absent for one that the package only names by its uid, and for a file with a problem."
      ),
    problem: string('Why the file is not a valid dashboard: a sentence.').optional(),
  })
  .meta({ id: 'DashboardFile', description: 'A dashboard of a package.' });
export type DashboardFile = z.infer<typeof dashboardFileSchema>;
export const dashboardListSchema = z.array(dashboardFileSchema);
