import type { Fields } from '../declare/field'
import { requireTokenScope } from '../execute/scope'

/** Fields of Query, which require the scope `read`. */
export const rootFields = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      {
        ...field,
        resolve: (row, args, context) => {
          requireTokenScope(context, 'read')
          return field.resolve(row, args, context)
        },
      },
    ]),
  )
