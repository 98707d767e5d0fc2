import { Type } from 'typebox';
import { scopes } from '#src/lib/principal.ts';

/** One permission of a key. */
export const ScopeName = Type.Enum([...scopes], { title: 'Scope', type: 'string' });

/** A scope that is needed, or null, with what it says at its place. */
export const ScopeOrNull = (description: string) => Type.Union([ScopeName, Type.Null()], { description });
