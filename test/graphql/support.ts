import { expect } from 'bun:test'
import { type Body, type Instance, types, withToken } from '../support/instance'

export const idOf = (type: string, number: number) => btoa(`${type}-${number}`)

export type Variables = Readonly<Record<string, unknown>>

/** How tests query one instance. */
export function asking(kiroku: Instance) {
  /** Expects status 200, whatever the JSON says. */
  const result = async (query: string, variables: Variables = {}, token = kiroku.token): Promise<Body> => {
    const response = await post(kiroku, { query, variables }, token)
    const text = await response.text()
    expect([response.status, text]).toEqual([200, text])
    return JSON.parse(text)
  }
  /** The data of a response without errors. */
  const data = async (query: string, variables: Variables = {}, token = kiroku.token): Promise<Body> => {
    const answer = await result(query, variables, token)
    expect(answer).toEqual({ data: expect.anything() })
    return answer.data
  }
  /** The messages of its errors. */
  const errors = async (
    query: string,
    variables: Variables = {},
    token = kiroku.token,
  ): Promise<string[]> => {
    const { errors = [] } = await result(query, variables, token)
    return errors.map(({ message }: { message: string }) => message)
  }
  return { result, data, errors }
}

export const post = ({ ask }: Instance, body: unknown, token: string) =>
  ask(
    '/graphql',
    withToken(token, {
      method: 'POST',
      headers: { 'content-type': types.json },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

/** Converts names to the API's notation. */
export const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
