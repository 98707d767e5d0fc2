import { type Static, Type } from 'typebox';
import type { MediaCapability } from '#queues/providers.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';

/** A model as clients of OpenAI's kind list it, with what it can do. */
export const Model = Type.Object(
  {
    id: Type.String({ description: '`provider/model`, or `auto`: the route is chosen by `routing.policy`' }),
    object: Type.Literal('model'),
    created: Type.Integer({ description: '0: the catalogue does not say when a model was made' }),
    owned_by: Type.String({ description: 'The provider' }),
    capabilities: Type.Array(Type.String(), { description: 'Capabilities of the model' }),
  },
  { title: 'PlatformModel' },
);
export type Model = Static<typeof Model>;

/** `auto`, then every model of the catalogue once. */
export function modelsOf(catalogue: readonly Provider[]): readonly Model[] {
  const offered = catalogue.flatMap(({ id, capabilities }) =>
    (Object.keys(capabilities) as MediaCapability[]).map((capability) => ({
      id: `${id}/${capabilities[capability]?.model}`,
      provider: id,
      capability,
    })),
  );
  const everything = [...new Set(offered.map(({ capability }) => capability))];
  const byId = Map.groupBy(offered, ({ id }) => id);
  return [
    model('auto', 'proofline', everything),
    ...[...byId].map(([id, offers]) =>
      model(
        id,
        offers[0]?.provider ?? '',
        offers.map(({ capability }) => capability),
      ),
    ),
  ];
}

/** @throws AppError `not_found` */
export function modelOf(catalogue: readonly Provider[], id: string): Model {
  const found = modelsOf(catalogue).find((one) => one.id === id);
  if (found) return found;
  throw new AppError(
    'not_found',
    `expected auto or the id of a model (GET /api/v2/models lists them), got ${JSON.stringify(id.slice(0, 200))}.`,
    { field: 'path.id', value: id.slice(0, 200) },
  );
}

function model(id: string, owner: string, capabilities: readonly string[]): Model {
  return { id, object: 'model', created: 0, owned_by: owner, capabilities: [...capabilities] };
}
