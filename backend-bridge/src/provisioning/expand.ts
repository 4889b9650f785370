/** Variables in the operator's files, as in Grafana's own provisioning: `${NAME}`, `$NAME`, and `$$` for a dollar sign. */

export interface Expanded {
  text: string;
  /** Sentences; empty when all is well. */
  mistakes: string[];
}

const VARIABLE = /\$(?:(\$)|\{([^{}]*)\}|([A-Za-z_]\w*)|(\{))/g;

/**
 * Puts the values of variables in. Unlike in Grafana, a variable that is not set is a mistake: a token would silently be empty.
 * Values are not expanded again, and never repeated in a mistake.
 */
export function expand(text: string, env: Record<string, string | undefined>): Expanded {
  const mistakes: string[] = [];
  const expanded = text.replaceAll(VARIABLE, (all, dollar?: string, braced?: string, bare?: string, open?: string) => {
    if (dollar !== undefined) {
      return '$';
    }
    const name = braced ?? bare ?? '';
    if (open !== undefined || !/^[A-Za-z_]\w*$/.test(name)) {
      mistakes.push(`${all} names no variable: write \${NAME}, or $$ for a dollar sign.`);
      return all;
    }
    const value = env[name];
    if (value === undefined || value === '') {
      mistakes.push(`The variable ${name} is not set in the environment of the bridge.`);
      return all;
    }
    return value;
  });
  return { text: expanded, mistakes };
}
