import './main.css';
import '@mantine/core/styles.layer.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { Console } from './shell/console.tsx';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { theme } from './theme.ts';

/** Styles that scripts insert are taken with the nonce of this answer alone. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// for the library inside that keeps the page from scrolling behind a dialog
Object.assign(globalThis, { __webpack_nonce__: nonce });

const place = document.querySelector('#root');
if (!place) throw new Error('main: expected an element with the id root, got none.');
createRoot(place).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <Console />
      </QueryClientProvider>
    </ErrorBoundary>
  </MantineProvider>,
);
