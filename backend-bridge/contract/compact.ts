/** Omits undefined members, so that the result equals its JSON. */
export const compact = <T extends object>(members: { [Key in keyof T]: T[Key] | undefined }): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
