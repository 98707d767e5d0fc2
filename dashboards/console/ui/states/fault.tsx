import { Button } from '@mantine/core';
import { ApiError } from '#console/api/api-error.ts';
import classes from './fault.module.css';

/** Error in the service's own words, and a button to try again. */
export function Fault({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  const api = error instanceof ApiError ? error : null;
  // the sentence is often that of its only field
  const fields = api?.fields.filter(({ message }) => !error.message.includes(message)) ?? [];
  return (
    <div className={classes['fault']} role="alert">
      <div className={classes['words']}>
        <p>{error.message}</p>
        {fields.length > 0 && (
          <ul>
            {fields.map(({ field, message }) => (
              <li key={field}>
                <code>{field}</code>: {message}
              </li>
            ))}
          </ul>
        )}
        {api?.requestId && <p className={classes['id']}>request {api.requestId}</p>}
      </div>
      {retry && (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
