import type { TObject } from 'typebox'
import { bodyFor } from '../http/answers-in-flight'
import { type Bytes, bytesOf } from '../http/bytes'
import { answerHeaders, type ErrorType, invalidParams, jsonHeaders } from '../http/errors'
import { inEnglish } from '../messages/languages'
import { FieldProblem } from '../values/field-problem'
import type { ApiCall, Endpoint, Method } from './endpoint'
import { fieldsParam, itemFieldsParam, type Json, parseFields, replyFieldsParam, selectJson } from './fields'
import { type Params, type ParamValues, readParams } from './params'

/** An object, its JSON, or null for 204. */
export type CommandAnswer = { readonly [name: string]: Json } | Bytes | null

export function defineCommand<P extends Params>(command: {
  method: Method
  path: string
  tag: string
  summary: string
  description?: string
  params: P
  answers?: () => TObject
  /** Key of an array in the answer: `fields` selects from each of its items, as in lists (D16). */
  items?: string
  errors?: readonly ErrorType[]
  run(values: ParamValues<P>, call: ApiCall): Promise<CommandAnswer>
}): Endpoint {
  const { method, path, answers, items, errors = [], run, ...docs } = command
  const params =
    answers === undefined ? command.params : { ...command.params, fields: fieldsOf(method, items) }
  return {
    method,
    path,
    scope: method === 'GET' ? 'read' : 'write',
    operation: { ...docs, params, errors, answer: documentedAnswer(answers) },
    answer: async (call) => {
      const { fields, ...values } = readParams(params, call.sent, call.deps.now()) as ParamValues<P> & {
        fields?: string
      }
      return respond(await run(values as unknown as ParamValues<P>, call), fields, items, call)
    },
  }
}

function documentedAnswer(answers: (() => TObject) | undefined) {
  if (answers === undefined) return { status: 204 as const, description: 'Done' }
  return {
    status: 200 as const,
    get schema() {
      return answers()
    },
    description: 'OK',
  }
}

function fieldsOf(method: Method, items: string | undefined) {
  if (method === 'GET') return fieldsParam
  return items === undefined ? replyFieldsParam : itemFieldsParam
}

function respond(
  answer: CommandAnswer,
  fields: string | undefined,
  items: string | undefined,
  { viewer }: ApiCall,
): Response {
  if (answer === null) return new Response(null, { status: 204, headers: answerHeaders })
  const json = answer instanceof Uint8Array ? answer : bytesOf(JSON.stringify(answer))
  const selected = fields === undefined ? json : selectJson(json, parseFields(fields), items)
  return new Response(bodyFor(`token ${viewer.tokenId}`, selected), { headers: jsonHeaders })
}

/** For a change whose rules hold on pages too: a `FieldProblem` becomes an error of the API. */
export async function withApiErrors<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (cause) {
    throw cause instanceof FieldProblem ? invalidParams(inEnglish(cause.text)) : cause
  }
}
