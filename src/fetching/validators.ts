/** What an answer says about its version. */
export interface Validators {
  readonly etag: string | null
  readonly lastModified: string | null
}

/** The headers of a conditional request; none if there are no validators. */
export const conditionsOf = (known: Validators | null | undefined) => ({
  ...(known?.etag && { 'If-None-Match': known.etag }),
  ...(known?.lastModified && { 'If-Modified-Since': known.lastModified }),
})
