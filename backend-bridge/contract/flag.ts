/** Booleans in provisioning files. */
import { z } from 'zod';

/** Values of variables are text, so booleans are read from text as well. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'true or false' })
  .transform((value) => value === true || value === 'true');
