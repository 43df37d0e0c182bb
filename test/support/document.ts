import { Compile } from 'typebox/schema'
import type { Body } from './instance'

/** Compares responses with an OpenAPI document. */
export function readDocument(document: Body) {
  /** What a reference refers to. */
  const referred = ({ $ref }: { $ref: string }): Body =>
    $ref
      .split('/')
      .slice(1)
      .reduce((node: Body, name) => node[name], document)

  /** A schema with every reference resolved, in which objects allow no undocumented fields. */
  function closed(schema: Body): Body {
    if (Array.isArray(schema)) return schema.map(closed)
    if (typeof schema !== 'object' || schema === null) return schema
    if (typeof schema.$ref === 'string') return closed(referred(schema))
    const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
    return schema.type === 'object' ? { ...inside, additionalProperties: false } : inside
  }

  const operationOf = (method: string, path: string): Body =>
    document.paths[path.replace(/:([a-z_]+)/g, '{$1}')][method.toLowerCase()]

  /** What an operation documents for responses with a status. */
  const answerOf = (method: string, path: string, status: number): Body => {
    const said = operationOf(method, path).responses[status]
    return said.$ref === undefined ? said : referred(said)
  }

  const mismatches = (schema: Body, value: unknown): unknown[] => [
    ...Compile(closed(schema)).Errors(value)[1],
  ]

  /** Required headers missing in a response, and undocumented ones in it. */
  function headerMismatches({ headers }: Response, said: Body): string[] {
    const documented = Object.entries<{ $ref: string }>(said.headers)
    const lacking = documented.filter(([name, ref]) => referred(ref).required && !headers.has(name))
    const others = Object.keys(document.components.headers).filter((name) => !(name in said.headers))
    return [
      ...lacking.map(([name]) => `no ${name}`),
      ...others.filter((name) => headers.has(name)).map((name) => `${name} is not documented`),
    ]
  }

  return { referred, operationOf, answerOf, mismatches, headerMismatches }
}
