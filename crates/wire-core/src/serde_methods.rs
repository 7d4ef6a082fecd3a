//! Lists of methods of serde's traits that nearly every `Serializer` and `Deserializer` implements
//! the same way. The macros expand to paths of the caller's `serde`, so the caller depends on it.

/// Inside `impl Serializer`: methods that call another method of it. Each argument is the name of a
/// method without `serialize_`:
///
/// | name | is written as |
/// |---|---|
/// | `integers` | those of up to 32 bits as those of 64 |
/// | `f32` | the double of the same shortest decimal |
/// | `char`, `unit_variant` | a string |
/// | `bytes` | a sequence of numbers |
/// | `none`, `unit_struct` | a unit |
/// | `some`, `newtype_struct` | the value in it |
/// | `tuple`, `tuple_struct` | a sequence; a tuple |
/// | `struct_as_map` | a struct as a map |
///
/// [`map_key!`](crate::map_key) has an example.
#[macro_export]
macro_rules! forward_serialize {
    ($($method:ident)*) => {
        $( $crate::forward_serialize! { @$method } )*
    };
    (@integers) => {
        $crate::forward_serialize! { @integer serialize_i8 i8 serialize_i64 }
        $crate::forward_serialize! { @integer serialize_i16 i16 serialize_i64 }
        $crate::forward_serialize! { @integer serialize_i32 i32 serialize_i64 }
        $crate::forward_serialize! { @integer serialize_u8 u8 serialize_u64 }
        $crate::forward_serialize! { @integer serialize_u16 u16 serialize_u64 }
        $crate::forward_serialize! { @integer serialize_u32 u32 serialize_u64 }
    };
    (@integer $method:ident $type:ident $to:ident) => {
        $crate::forward_serialize! { @to $method(value: $type) -> Ok: $to(value.into()) }
    };
    // A single has its own shortest digits, which read back as the same single.
    (@f32) => {
        $crate::forward_serialize! {
            @to serialize_f32(value: f32) -> Ok: serialize_f64($crate::number::widen_f32(value))
        }
    };
    (@char) => {
        $crate::forward_serialize! {
            @to serialize_char(value: char) -> Ok: serialize_str(value.encode_utf8(&mut [0; 4]))
        }
    };
    (@bytes) => {
        $crate::forward_serialize! {
            @to serialize_bytes(value: &[u8]) -> Ok: collect_seq(value)
        }
    };
    (@none) => {
        $crate::forward_serialize! { @to serialize_none() -> Ok: serialize_unit() }
    };
    (@unit_struct) => {
        $crate::forward_serialize! {
            @to serialize_unit_struct(_: &'static str) -> Ok: serialize_unit()
        }
    };
    (@unit_variant) => {
        $crate::forward_serialize! {
            @to serialize_unit_variant(_: &'static str, _: u32, variant: &'static str)
                -> Ok: serialize_str(variant)
        }
    };
    (@tuple) => {
        $crate::forward_serialize! {
            @to serialize_tuple(len: usize) -> SerializeTuple: serialize_seq(Some(len))
        }
    };
    (@tuple_struct) => {
        $crate::forward_serialize! {
            @to serialize_tuple_struct(_: &'static str, len: usize)
                -> SerializeTupleStruct: serialize_tuple(len)
        }
    };
    (@struct_as_map) => {
        $crate::forward_serialize! {
            @to serialize_struct(_: &'static str, len: usize)
                -> SerializeStruct: serialize_map(Some(len))
        }
    };
    (@to $method:ident($($name:tt: $type:ty),*) -> $ok:ident: $to:ident($($passed:expr)?)) => {
        fn $method(self, $($name: $type),*) -> Result<Self::$ok, Self::Error> {
            self.$to($($passed)?)
        }
    };
    (@some) => {
        fn serialize_some<T: serde::Serialize + ?Sized>(
            self,
            value: &T,
        ) -> Result<Self::Ok, Self::Error> {
            value.serialize(self)
        }
    };
    (@newtype_struct) => {
        fn serialize_newtype_struct<T: serde::Serialize + ?Sized>(
            self,
            _: &'static str,
            value: &T,
        ) -> Result<Self::Ok, Self::Error> {
            value.serialize(self)
        }
    };
}

/// Inside the `impl Serializer` of a serializer for the keys of maps: all types and methods except
/// those for strings, doubles and singles. It must have a method `printed`, which is called with
/// integers and truth values. Characters, names of variants and what wraps one value are passed on;
/// the function is called for everything else, with the words for what was found, and returns the
/// error.
///
/// ```
/// use std::fmt::Display;
///
/// use serde::de::value::Error;
/// use serde::ser::{Error as _, Serialize, Serializer};
///
/// /// Writes a key as text.
/// struct Key;
///
/// fn no_key<T>(found: &str) -> Result<T, Error> {
///     Err(Error::custom(format_args!(
///         "the key of a map is {found}, expected a string"
///     )))
/// }
///
/// impl Key {
///     fn printed(&self, value: impl Display) -> String {
///         value.to_string()
///     }
/// }
///
/// impl Serializer for Key {
///     type Ok = String;
///     type Error = Error;
///
///     wire_core::map_key! { no_key }
///     wire_core::forward_serialize! { f32 }
///
///     fn serialize_f64(self, value: f64) -> Result<String, Error> {
///         Ok(self.printed(value))
///     }
///
///     fn serialize_str(self, text: &str) -> Result<String, Error> {
///         Ok(text.to_owned())
///     }
/// }
/// assert_eq!(7u8.serialize(Key).unwrap(), "7");
/// assert_eq!(
///     ().serialize(Key).unwrap_err().to_string(),
///     "the key of a map is nothing, expected a string"
/// );
/// ```
#[macro_export]
macro_rules! map_key {
    ($refuse:ident) => {
        $crate::map_key! {
            @serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
            serialize_i64 i64, serialize_i128 i128, serialize_u8 u8, serialize_u16 u16,
            serialize_u32 u32, serialize_u64 u64, serialize_u128 u128
        }

        $crate::forward_serialize! { char none some unit_struct unit_variant newtype_struct }

        fn serialize_bytes(self, _: &[u8]) -> Result<Self::Ok, Self::Error> {
            $refuse("bytes")
        }

        fn serialize_unit(self) -> Result<Self::Ok, Self::Error> {
            $refuse("nothing")
        }

        fn serialize_newtype_variant<T: serde::Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<Self::Ok, Self::Error> {
            $refuse("a variant with content")
        }

        $crate::map_key! {
            @$refuse
            SerializeSeq serialize_seq(Option<usize>) "a sequence";
            SerializeTuple serialize_tuple(usize) "a tuple";
            SerializeTupleStruct serialize_tuple_struct(&'static str, usize) "a tuple";
            SerializeTupleVariant
                serialize_tuple_variant(&'static str, u32, &'static str, usize) "a variant with content";
            SerializeMap serialize_map(Option<usize>) "a map";
            SerializeStruct serialize_struct(&'static str, usize) "a struct";
            SerializeStructVariant
                serialize_struct_variant(&'static str, u32, &'static str, usize) "a variant with content";
        }
    };
    (@$refuse:ident $($type:ident $method:ident($($name:ty),*) $found:literal;)*) => {$(
        type $type = serde::ser::Impossible<Self::Ok, Self::Error>;

        fn $method(self, $(_: $name),*) -> Result<Self::$type, Self::Error> {
            $refuse($found)
        }
    )*};
    (@$($method:ident $type:ident),*) => {$(
        fn $method(self, value: $type) -> Result<Self::Ok, Self::Error> {
            Ok(self.printed(value))
        }
    )*};
}

/// Implements `SerializeSeq`, `SerializeTuple`, `SerializeTupleStruct` and `SerializeTupleVariant`:
/// `serialize_elements! { Items<'_> => Result<(), Error> }`. The type has the methods
/// `fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error>` and
/// `fn close(self) -> Result<(), Error>`.
#[macro_export]
macro_rules! serialize_elements {
    ($for:ty => Result<$ok:ty, $error:ty>) => {
        $crate::serialize_elements! { @SerializeSeq serialize_element, $for, $ok, $error }
        $crate::serialize_elements! { @SerializeTuple serialize_element, $for, $ok, $error }
        $crate::serialize_elements! { @SerializeTupleStruct serialize_field, $for, $ok, $error }
        $crate::serialize_elements! { @SerializeTupleVariant serialize_field, $for, $ok, $error }
    };
    (@$trait:ident $method:ident, $for:ty, $ok:ty, $error:ty) => {
        impl serde::ser::$trait for $for {
            type Ok = $ok;
            type Error = $error;

            fn $method<T: serde::Serialize + ?Sized>(&mut self, value: &T) -> Result<(), $error> {
                self.element(value)
            }

            #[inline]
            fn end(self) -> Result<$ok, $error> {
                self.close()
            }
        }
    };
}

/// Implements `SerializeStruct` and `SerializeStructVariant`:
/// `serialize_fields! { Members<'_> => Result<(), Error> }`. The type has the methods
/// `fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error>`
/// and `fn close(self) -> Result<(), Error>`.
#[macro_export]
macro_rules! serialize_fields {
    ($for:ty => Result<$ok:ty, $error:ty>) => {
        $crate::serialize_fields! { @SerializeStruct $for, $ok, $error }
        $crate::serialize_fields! { @SerializeStructVariant $for, $ok, $error }
    };
    (@$trait:ident $for:ty, $ok:ty, $error:ty) => {
        impl serde::ser::$trait for $for {
            type Ok = $ok;
            type Error = $error;

            fn serialize_field<T: serde::Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), $error> {
                self.field(name, value)
            }

            #[inline]
            fn end(self) -> Result<$ok, $error> {
                self.close()
            }
        }
    };
}

/// Inside `impl Deserializer<'de>`: methods that call another method of it, or the visitor's method
/// of the same name. Each argument is the name of a method without `deserialize_`: `string` and
/// `identifier` are read as a `str`, `byte_buf` as bytes, `unit_struct` as a unit, `tuple` and
/// `tuple_struct` as a sequence; `option` is a present value, `newtype_struct` the value in it, and
/// `ignored_any` reads nothing.
#[macro_export]
macro_rules! forward_deserialize {
    ($($method:ident)*) => {
        $( $crate::forward_deserialize! { @$method } )*
    };
    (@string) => {
        $crate::forward_deserialize! { @to deserialize_string() deserialize_str() }
    };
    (@byte_buf) => {
        $crate::forward_deserialize! { @to deserialize_byte_buf() deserialize_bytes() }
    };
    (@identifier) => {
        $crate::forward_deserialize! { @to deserialize_identifier() deserialize_str() }
    };
    (@unit_struct) => {
        $crate::forward_deserialize! {
            @to deserialize_unit_struct(_: &'static str) deserialize_unit()
        }
    };
    (@tuple) => {
        $crate::forward_deserialize! { @to deserialize_tuple(_: usize) deserialize_seq() }
    };
    (@tuple_struct) => {
        $crate::forward_deserialize! {
            @to deserialize_tuple_struct(_: &'static str, len: usize) deserialize_tuple(len)
        }
    };
    (@to $method:ident($($name:tt: $type:ty),*) $to:ident($($passed:ident)?)) => {
        fn $method<V: serde::de::Visitor<'de>>(
            self,
            $($name: $type,)*
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            self.$to($($passed,)? visitor)
        }
    };
    (@option) => {
        fn deserialize_option<V: serde::de::Visitor<'de>>(
            self,
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            visitor.visit_some(self)
        }
    };
    (@ignored_any) => {
        fn deserialize_ignored_any<V: serde::de::Visitor<'de>>(
            self,
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            visitor.visit_unit()
        }
    };
    (@newtype_struct) => {
        fn deserialize_newtype_struct<V: serde::de::Visitor<'de>>(
            self,
            _: &'static str,
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            visitor.visit_newtype_struct(self)
        }
    };
}
