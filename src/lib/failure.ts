/** Exit codes by sysexits: usage, bad data, no input, an input or output error, try again later, bad configuration. */
export const exitCodes = { usage: 64, data: 65, noInput: 66, io: 74, busy: 75, config: 78 } as const

/** A refusal the operator can act on: one line that says why, and the exit code a command ends with. */
export class Failure extends Error {
  readonly kind: keyof typeof exitCodes
  readonly exitCode: number

  constructor(kind: keyof typeof exitCodes, message: string) {
    super(message)
    this.name = 'Failure'
    this.kind = kind
    this.exitCode = exitCodes[kind]
  }
}
