import type { Params, ParamValues } from '../api/params'
import { inEnglish } from '../messages/languages'
import { InvalidValue } from '../values/value'
import { type OAuthErrorType, oauthError } from './error'

/** Throws `invalid_request` if a required parameter is missing, and `error` for a value that breaks a rule. */
export function readDeclared<P extends Params, N extends keyof P & string>(
  declared: P,
  name: N,
  text: string | undefined,
  error: OAuthErrorType = 'invalid_request',
): ParamValues<P>[N] {
  const param = declared[name] as P[N]
  if (text === undefined && param.required) throw oauthError('invalid_request', `${name} is required.`)
  const read = text === undefined ? param.defaultValue : param.read(text)
  if (read instanceof InvalidValue) throw oauthError(error, `${name} ${inEnglish(read.rule)}.`)
  return read as ParamValues<P>[N]
}
