import { jsonHeaders } from '../http/errors'

/** For other methods, in GraphQL's format; a browser that opens the address gets GraphiQL instead. */
export const onlyByPost = (): Response =>
  Response.json(
    { errors: [{ message: 'Send queries by POST.' }] },
    { status: 405, headers: { ...jsonHeaders, Allow: 'POST, OPTIONS' } },
  )
