import { expect, test } from 'vitest';
import { type OpenApi, typesOf } from '#console/build-types.ts';
import { testApi } from '#test/http/api.ts';

// the document is large
const patient = { timeout: 240_000 };

test(
  'the console is written against the API that is served: its types are those of /v1/openapi.json',
  patient,
  async () => {
    await using api = await testApi();
    const whole: OpenApi = (await api.app.inject('/v1/openapi.json')).json();
    // written anew with -u
    await expect(await typesOf(whole)).toMatchFileSnapshot('../../dashboards/console/api/api.d.ts');
    // those of the surfaces are parts of it
    for (const path of ['/api/v1/openapi.json', '/api/studio/v1/openapi', '/api/openapi.json']) {
      const part: OpenApi = (await api.app.inject(path)).json();
      expect(Object.keys(part.paths).length).toBeGreaterThan(10);
      expect(Object.keys(whole.paths)).toEqual(expect.arrayContaining(Object.keys(part.paths)));
    }
  },
);
