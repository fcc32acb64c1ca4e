import 'reflect-metadata';
import { Expose } from 'class-transformer';

export interface VariableOptions {
  /** Description for `.env.example` and the documentation: one or two sentences. */
  readonly describe: string;
  /** The default value, as text. Absent: the variable is optional. */
  readonly default?: string;
  /** The value is never printed, not even in errors. */
  readonly secret?: boolean;
}

export interface DeclaredVariable extends VariableOptions {
  readonly name: string;
  readonly property: string;
}

const declared = new Map<object, DeclaredVariable[]>();

/** Binds a property of a configuration class to an environment variable. */
export function Variable(name: string, options: VariableOptions): PropertyDecorator {
  return (target, property) => {
    const list = declared.get(target.constructor) ?? [];
    list.push({ ...options, name, property: String(property) });
    declared.set(target.constructor, list);
    Expose()(target, property);
  };
}

export const variablesOf = (configClass: object): readonly DeclaredVariable[] => declared.get(configClass) ?? [];
