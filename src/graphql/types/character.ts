import { character as restCharacter, shownSeries } from '../../catalogue/characters'
import { isShown } from '../../catalogue/shown'
import { annictId, fieldsOf, one } from '../declare/fields'
import { defineType } from '../declare/type'

const field = fieldsOf(restCharacter)
const text = (name: string) => field('String!', name)

export const character = defineType('Character', {
  table: 'characters',
  isShown: () => isShown('characters'),
  merges: 'characters',
  fields: {
    age: text('age'),
    ageEn: text('age_en'),
    annictId,
    birthday: text('birthday'),
    birthdayEn: text('birthday_en'),
    bloodType: text('blood_type'),
    bloodTypeEn: text('blood_type_en'),
    description: text('description'),
    descriptionEn: text('description_en'),
    descriptionSource: text('description_source'),
    descriptionSourceEn: text('description_source_en'),
    favoriteCharactersCount: field('Int!', 'favorite_characters_count'),
    height: text('height'),
    heightEn: text('height_en'),
    name: text('name'),
    nameEn: text('name_en'),
    nameKana: text('name_kana'),
    nationality: text('nationality'),
    nationalityEn: text('nationality_en'),
    nickname: text('nickname'),
    nicknameEn: text('nickname_en'),
    occupation: text('occupation'),
    occupationEn: text('occupation_en'),
    series: one('Series', 'series', () => shownSeries),
    weight: text('weight'),
    weightEn: text('weight_en'),
  },
})
