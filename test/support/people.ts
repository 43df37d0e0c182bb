import { expect } from 'bun:test'
import type { errorTypes } from '../../src/http/errors'
import { type Body, type Instance, refusals, types, withToken } from './instance'

/** What a request sends, as JSON. */
export type Params = Readonly<Record<string, unknown>>

/** A user who sends requests with their own token. */
export interface Person {
  /** Sends parameters as a JSON body; `GET` has none. */
  send(method: string, target: string, params?: Params): Promise<Response>
  /** The JSON of a 200; null for a 204. Anything else fails the test. */
  done(method: string, target: string, params?: Params): Promise<Body>
  /** The developer_messages of an error. */
  refused(type: keyof typeof errorTypes, method: string, target: string, params?: Params): Promise<string[]>
  json(target: string): Promise<Body>
}

export async function personOf({ ask, tokenOf }: Instance, username: string): Promise<Person> {
  const token = await tokenOf(username, 'read write')
  const send: Person['send'] = (method, target, params) => {
    const body = params && { body: JSON.stringify(params), headers: { 'content-type': types.json } }
    return ask(target, withToken(token, { method, ...body }))
  }
  const done: Person['done'] = async (method, target, params) => {
    const response = await send(method, target, params)
    const text = await response.text()
    expect([method, target, params, text, response.status]).toEqual([
      method,
      target,
      params,
      text,
      text === '' ? 204 : 200,
    ])
    return text === '' ? null : JSON.parse(text)
  }
  return {
    send,
    done,
    refused: async (type, ...asked) => refusals(await send(...asked), type),
    json: (target) => done('GET', target),
  }
}

/** A work as lists of works return it, and as it is inside other objects (D22). */
export const workNow = async (kiroku: Instance, id: number): Promise<Body> =>
  (await kiroku.json(`/v1/works?filter_ids=${id}`)).works[0]

/** An episode as it is inside other objects (D22). */
export async function episodeNow(kiroku: Instance, id: number): Promise<Body> {
  const { work, prev_episode, next_episode, ...own } = (await kiroku.json(`/v1/episodes?filter_ids=${id}`))
    .episodes[0]
  return own
}

/** A user as it is inside other objects (D21). */
export async function userNow(kiroku: Instance, id: number): Promise<Body> {
  const [user] = (await kiroku.json(`/v1/users?filter_ids=${id}`)).users
  const nine = 'id username name description url avatar_url background_image_url records_count created_at'
  return Object.fromEntries(nine.split(' ').map((name) => [name, user[name]]))
}
