/**
 * Statements that are put together once for each engine: kysely takes several times as long to build and compile a small statement
 * as SQLite to run it, and those of a send run for each batch.
 */
import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { type Engine, engineOf, type Transacting } from './engine.ts';

interface Statement<R> {
  compiled: CompiledQuery<R>;
  /** For each parameter the number of its argument; a parameter that is none keeps its value. */
  places: readonly number[];
}

type Placeholders<A> = { [K in keyof A]: RawBuilder<A[K]> };

/** With the arguments, for `together` and `defer`. */
export type Prepared<R, A extends unknown[] = []> = (trx: Transacting, ...args: A) => Compilable<R>;

/** @param build with a placeholder for each argument. Its text must not depend on anything else */
export function prepared<R, A extends unknown[] = []>(
  build: (trx: Transacting, ...args: Placeholders<A>) => { compile(): CompiledQuery<R> }
): Prepared<R, A> {
  const statements = new WeakMap<Engine, Statement<R>>();
  return (trx, ...args) => {
    const engine = engineOf(trx);
    const statement = statements.get(engine) ?? put(trx, args.length, build as Build<R>);
    statements.set(engine, statement);
    const { compiled, places } = statement;
    const parameters = places.map((place, index) => (place < 0 ? compiled.parameters[index] : args[place]));
    return { compile: () => ({ ...compiled, parameters }) };
  };
}

type Build<R> = (trx: Transacting, ...args: RawBuilder<unknown>[]) => { compile(): CompiledQuery<R> };

function put<R>(trx: Transacting, count: number, build: Build<R>): Statement<R> {
  const marks = Array.from({ length: count }, () => Symbol('argument'));
  const compiled = build(trx, ...marks.map((mark) => sql`${sql.val(mark)}`)).compile();
  return { compiled, places: compiled.parameters.map((parameter) => marks.indexOf(parameter as symbol)) };
}
