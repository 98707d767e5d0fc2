import { Type } from 'typebox';
import { scopes, studioKeyScopes } from '#src/lib/principal.ts';

/** One permission of a key. */
export const ScopeName = Type.Enum([...scopes], { title: 'Scope', type: 'string' });

/** One permission of a key as the studio document knows them. */
export const StudioKeyScopeName = Type.Enum([...studioKeyScopes], { title: 'StudioKeyScope', type: 'string' });

/** A scope that is needed, or null, with what it says at its place. */
export const ScopeOrNull = (description: string) => Type.Union([ScopeName, Type.Null()], { description });
