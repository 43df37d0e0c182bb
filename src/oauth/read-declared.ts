import type { Params, Values } from '../api/params'
import { inEnglish } from '../messages/languages'
import { InvalidValue } from '../values/value'
import { type OAuthErrorType, oauthError } from './error'

/** Throws `invalid_request` where a required one is missing, and `error` for a value that breaks a rule. */
export function readDeclared<P extends Params, N extends keyof P & string>(
  declared: P,
  name: N,
  text: string | undefined,
  error: OAuthErrorType = 'invalid_request',
): Values<P>[N] {
  const param = declared[name] as P[N]
  if (text === undefined && param.required) throw oauthError('invalid_request', `${name} is required.`)
  const read = text === undefined ? param.otherwise : param.read(text)
  if (read instanceof InvalidValue) throw oauthError(error, `${name} ${inEnglish(read.rule)}.`)
  return read as Values<P>[N]
}
