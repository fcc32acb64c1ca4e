import 'reflect-metadata';
import { Expose } from 'class-transformer';

export interface VariableOptions {
  /** What it is for, one sentence: shown in `.env.example` and the documentation. */
  readonly describe: string;
  /** As it would stand in the environment. Absent: optional. */
  readonly default?: string;
  /** Never printed, not even in an error. */
  readonly secret?: boolean;
}

export interface DeclaredVariable extends VariableOptions {
  readonly name: string;
  readonly property: string;
}

const declared = new Map<object, DeclaredVariable[]>();

/** Binds a property of a configuration class to an environment variable. The only place where names are written. */
export function Variable(name: string, options: VariableOptions): PropertyDecorator {
  return (target, property) => {
    const list = declared.get(target.constructor) ?? [];
    list.push({ ...options, name, property: String(property) });
    declared.set(target.constructor, list);
    Expose()(target, property);
  };
}

export const variablesOf = (configClass: object): readonly DeclaredVariable[] => declared.get(configClass) ?? [];
