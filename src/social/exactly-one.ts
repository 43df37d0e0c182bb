import { invalidParams } from '../http/errors'

/** For parameters that exclude each other. Throws invalid_params for none or more than one. */
export function exactlyOne<N extends string>(
  values: Readonly<Record<N, number | undefined>>,
): { name: N; id: number } {
  const names = Object.keys(values) as N[]
  const [sent, ...more] = names.flatMap((name) => {
    const id = values[name]
    return id === undefined ? [] : [{ name, id }]
  })
  if (sent === undefined || more.length > 0)
    throw invalidParams(`Exactly one of ${names.join(', ')} is required.`)
  return sent
}
