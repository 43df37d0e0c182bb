/** One request or command and what came back, masked: a line of a recording. */
export interface Answer {
  /** The section that asked. */
  readonly kind: string
  /** Such as `GET /v1/works?page=2 as mio`: with `kind` and `nth` it names the answer. */
  readonly request: string
  /** Which of those with the same request it is, from 1. */
  readonly nth: number
  /** The HTTP status or the exit code. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const nameOf = ({ kind, request, nth }: Answer) => `${kind}: ${request}${nth > 1 ? ` (${nth})` : ''}`
