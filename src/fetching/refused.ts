/** Why a request yielded nothing; `why` is for the log. */
export class FetchRefused extends Error {
  constructor(readonly why: string) {
    super(why)
  }
}
