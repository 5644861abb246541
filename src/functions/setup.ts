import { app } from '@azure/functions';

/** Uploads of up to 100 MiB are hashed and stored as they arrive. */
app.setup({ enableHttpStream: true });
