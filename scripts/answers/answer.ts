/** One request or command and its masked answer: a line of a recording. */
export interface Answer {
  readonly kind: string
  /** For example `GET /v1/works?page=2 as mio`; `kind`, `request` and `nth` identify the answer. */
  readonly request: string
  /** Counts identical requests, from 1. */
  readonly nth: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const nameOf = ({ kind, request, nth }: Answer) => `${kind}: ${request}${nth > 1 ? ` (${nth})` : ''}`
