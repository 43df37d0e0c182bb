/** Why nothing came of a request; `why` is for the log. */
export class FetchRefused extends Error {
  constructor(readonly why: string) {
    super(why)
  }
}
