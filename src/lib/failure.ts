/** The codes from 64 on are those of sysexits.h: EX_USAGE, EX_DATAERR, EX_NOINPUT, EX_IOERR, EX_TEMPFAIL, EX_CONFIG. */
export const exitCodes = {
  leftOver: 3,
  usage: 64,
  data: 65,
  noInput: 66,
  io: 74,
  busy: 75,
  config: 78,
} as const

export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  leftOver: 'done, except for some rows of a list',
  usage: 'usage',
  data: 'bad data',
  noInput: 'input not found',
  io: 'disk error or disk full',
  busy: 'busy or already running',
  config: 'bad configuration or permissions',
}

/** An error that the operator can act on: a one-line message and the exit code of the command. */
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
