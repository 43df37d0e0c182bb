/** The keys of objects of the catalogue, in order (D20). */
export const character = `id, name, name_kana, name_en, kind, nickname, nickname_en, birthday, birthday_en, age, age_en,
  blood_type, blood_type_en, height, height_en, weight, weight_en, nationality, nationality_en, occupation,
  occupation_en, description, description_en, description_source, description_source_en, favorite_characters_count`
export const person = `id, name, name_kana, name_en, nickname, nickname_en, gender_text, url, url_en, wikipedia_url,
  wikipedia_url_en, twitter_username, twitter_username_en, birthday, blood_type, height, favorite_people_count,
  casts_count, staffs_count`
export const organization = `id, name, name_kana, name_en, url, url_en, wikipedia_url, wikipedia_url_en, twitter_username,
  twitter_username_en, favorite_organizations_count, staffs_count`
