//! A question from JSON. A fault names its place in the question.
//!
//! All questions are read from one kind of value, which keeps the module inside the page small.

use std::{fmt, vec::IntoIter};

use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeOwned, DeserializeSeed, EnumAccess, Error, IntoDeserializer, MapAccess,
        SeqAccess, Unexpected, VariantAccess, Visitor, value::StringDeserializer,
    },
    forward_to_deserialize_any,
};

use super::Refusal;

/// Reads a question.
pub(super) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Refusal> {
    let malformed = |place, problem| Refusal::Malformed { place, problem };
    let value: Json = serde_json::from_slice(text)
        .map_err(|error| malformed("question".to_owned(), error.to_string()))?;
    T::deserialize(value).map_err(|fault| malformed(fault.place(), fault.problem))
}

enum Json {
    Null,
    Bool(bool),
    Whole(u64),
    Negative(i64),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    /// A name may be there twice, which is a fault of the question.
    Object(Vec<(String, Json)>),
}

impl Json {
    fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Json::Null => Unexpected::Unit,
            Json::Bool(value) => Unexpected::Bool(*value),
            Json::Whole(value) => Unexpected::Unsigned(*value),
            Json::Negative(value) => Unexpected::Signed(*value),
            Json::Number(value) => Unexpected::Float(*value),
            Json::Text(text) => Unexpected::Str(text),
            Json::List(_) => Unexpected::Seq,
            Json::Object(_) => Unexpected::Map,
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyJson)
    }
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Whole(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Negative(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Json::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Json, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = object.next_entry()? {
            entries.push(entry);
        }
        Ok(Json::Object(entries))
    }
}

/// A fault and its place.
#[derive(Debug)]
struct Fault {
    /// Keys and indices, the innermost first.
    path: Vec<String>,
    problem: String,
}

impl Fault {
    fn inside(mut self, step: String) -> Self {
        self.path.push(step);
        self
    }

    fn place(&self) -> String {
        let path: String = self.path.iter().rev().map(String::as_str).collect();
        match path.strip_prefix('.') {
            Some(path) => path.to_owned(),
            None => "question".to_owned(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: fmt::Display>(problem: T) -> Self {
        Fault { path: Vec::new(), problem: problem.to_string() }
    }
}

impl<'de> Deserializer<'de> for Json {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(value),
            Json::Whole(value) => visitor.visit_u64(value),
            Json::Negative(value) => visitor.visit_i64(value),
            Json::Number(value) => visitor.visit_f64(value),
            Json::Text(text) => visitor.visit_string(text),
            Json::List(values) => {
                let expected = values.len();
                let mut list = List { values: values.into_iter(), taken: 0 };
                let value = visitor.visit_seq(&mut list)?;
                match list.values.len() {
                    0 => Ok(value),
                    left => Err(Fault::invalid_length(expected, &Shorter(expected - left))),
                }
            }
            Json::Object(entries) => {
                visitor.visit_map(Object { entries: entries.into_iter(), value: None })
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Json::Null => visitor.visit_none(),
            value => visitor.visit_some(value),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    /// The fields have their names; a list of them is no question.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self {
            Json::Object(entries) => {
                visitor.visit_map(Object { entries: entries.into_iter(), value: None })
            }
            other => Err(Fault::invalid_type(other.unexpected(), &visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self {
            Json::Text(name) => {
                visitor.visit_enum(IntoDeserializer::<Fault>::into_deserializer(name))
            }
            Json::Object(mut entries) if entries.len() == 1 => match entries.pop() {
                Some((name, value)) => visitor.visit_enum(Variant { name, value }),
                None => Err(Fault::custom("an object without a key")),
            },
            other => {
                Err(Fault::invalid_type(other.unexpected(), &"an object with one key, or a word"))
            }
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

/// The length that a list should have had.
struct Shorter(usize);

impl serde::de::Expected for Shorter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values", self.0)
    }
}

struct List {
    values: IntoIter<Json>,
    taken: usize,
}

impl<'de> SeqAccess<'de> for &mut List {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let Some(value) = self.values.next() else { return Ok(None) };
        self.taken += 1;
        let place = self.taken - 1;
        seed.deserialize(value).map(Some).map_err(|fault| fault.inside(format!("[{place}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.len())
    }
}

struct Object {
    entries: IntoIter<(String, Json)>,
    /// The value of the last key.
    value: Option<(String, Json)>,
}

impl<'de> MapAccess<'de> for Object {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let Some((name, value)) = self.entries.next() else { return Ok(None) };
        let key = seed.deserialize(StringDeserializer::new(name.clone()));
        let key = key.map_err(|fault: Fault| fault.inside(format!(".{name}")))?;
        self.value = Some((name, value));
        Ok(Some(key))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Fault> {
        let Some((name, value)) = self.value.take() else {
            return Err(Fault::custom("a value before its key"));
        };
        seed.deserialize(value).map_err(|fault| fault.inside(format!(".{name}")))
    }
}

/// An object with one key: a word with its value.
struct Variant {
    name: String,
    value: Json,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Fault> {
        let word = seed.deserialize(StringDeserializer::new(self.name.clone()));
        let word = word.map_err(|fault: Fault| fault.inside(format!(".{}", self.name)))?;
        Ok((word, self))
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        self.newtype_variant_seed(std::marker::PhantomData)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(self.value).map_err(|fault| fault.inside(format!(".{}", self.name)))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.value.deserialize_any(visitor).map_err(|fault| fault.inside(format!(".{}", self.name)))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.value.deserialize_any(visitor).map_err(|fault| fault.inside(format!(".{}", self.name)))
    }
}
