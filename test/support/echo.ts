import { expect } from 'bun:test'
import Type from 'typebox'
import { defineCommand } from '../../src/api/command'
import { idParam, idsParam } from '../../src/api/param-kinds'
import { param } from '../../src/api/params'
import { anyText } from '../../src/values/text'
import {
  type Body,
  type Instance,
  type RequestBody,
  refusals,
  requestOf,
  serveOnly,
  types,
  withToken,
} from './instance'

/** A made-up endpoint that returns what it was sent, which no endpoint of the product does. */
export function createEcho(kiroku: Instance) {
  const serve = serveOnly(echo, kiroku)
  /** Posts a body as `type`, or with the body's own type. */
  const post = (
    body: RequestBody,
    type?: string,
    { target = '/v1/echo', token = kiroku.token, headers = {} } = {},
  ) => {
    const init = {
      method: 'POST',
      body,
      headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
    }
    return serve(requestOf(target, token === '' ? init : withToken(token, init)), '192.0.2.1')
  }
  const postJson = (value: unknown) => post(JSON.stringify(value), types.json)
  return { serve, post, postJson }
}

const echo = defineCommand({
  method: 'POST',
  path: '/v1/echo',
  tag: 'Test',
  summary: 'Answers what it was sent',
  params: { page: idParam('A number', 1), note: param(anyText, 'A text', 'x'), ids: idsParam('Some ids') },
  answers: () => Type.Object({ note: Type.String() }),
  run: async ({ page = null, note = null, ids = null }) => ({ page, note, ids }),
})

/** Its response as JSON. */
export async function echoed(answer: Promise<Response>): Promise<Body> {
  const response = await answer
  expect(response.status).toBe(200)
  return response.json()
}

/** Why it refused the parameters. */
export const refused = async (answer: Promise<Response>) => refusals(await answer, 'invalid_params')
