/** What a compose file says that the judge of manifests must know. */
export interface ComposeFacts {
  /** In the order of the file: the first is the default of what a manifest leaves out. */
  services: ComposeService[];
}

export interface ComposeService {
  name: string;
  /** Names of its environment variables; arguments of the build are not among them. */
  environment: string[];
}
