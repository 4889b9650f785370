/** What is known beside a package when it is judged. */
export interface PackageWorld {
  /** The registered version of a package; undefined when it is not registered. */
  versionOf: (dnpName: string) => string | undefined;
  /** service, library or dncore; undefined when it is not registered. */
  typeOf: (dnpName: string) => string | undefined;
  /** Of the node that the bridge runs for; undefined where nobody has said it. */
  nodeVersion: string | undefined;
}
