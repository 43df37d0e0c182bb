import { invalidParams } from '../http/errors'

/** For parameters that exclude each other. Throws invalid_params for none or more than one. */
export function exactlyOne<N extends string>(
  asked: Readonly<Record<N, number | undefined>>,
): { name: N; id: number } {
  const names = Object.keys(asked) as N[]
  const [sent, ...more] = names.flatMap((name) => {
    const id = asked[name]
    return id === undefined ? [] : [{ name, id }]
  })
  if (sent === undefined || more.length > 0)
    throw invalidParams(`Exactly one of ${names.join(', ')} is required.`)
  return sent
}
