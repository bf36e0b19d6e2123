//! The messages of ONNX that a linear model needs, with the field numbers of `onnx.proto`
//! (<https://github.com/onnx/onnx/blob/main/onnx/onnx.proto>). Fields that are never written are left out.

use prost::Message;

/// The version of the layout of these messages: ONNX 1.10 of 2021 and everything since reads it.
pub(super) const IR_VERSION: i64 = 8;

/// The version of the meaning of the operators: that of ONNX 1.12.
pub(super) const OPSET: i64 = 17;

/// The types of elements, as `TensorProto.DataType` numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Float = 1,
    Int64 = 7,
    Text = 8,
    Double = 11,
}

/// The domain of `LabelEncoder`, and the version of its operators.
pub(super) const MACHINE_LEARNING: (&str, i64) = ("ai.onnx.ml", 2);

/// `INT`, `INTS` and `STRINGS` of `AttributeProto.AttributeType`.
const INT: i32 = 2;
const INTS: i32 = 7;
const STRINGS: i32 = 8;

#[derive(Clone, PartialEq, Message)]
pub(super) struct ModelProto {
    #[prost(int64, tag = "1")]
    pub(super) ir_version: i64,
    #[prost(string, tag = "2")]
    pub(super) producer_name: String,
    #[prost(string, tag = "3")]
    pub(super) producer_version: String,
    #[prost(string, tag = "6")]
    pub(super) doc_string: String,
    #[prost(message, optional, tag = "7")]
    pub(super) graph: Option<GraphProto>,
    #[prost(message, repeated, tag = "8")]
    pub(super) opset_import: Vec<OperatorSetIdProto>,
    #[prost(message, repeated, tag = "14")]
    pub(super) metadata_props: Vec<StringStringEntryProto>,
}

/// The domain of the standard operators has no name.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OperatorSetIdProto {
    #[prost(string, tag = "1")]
    pub(super) domain: String,
    #[prost(int64, tag = "2")]
    pub(super) version: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct StringStringEntryProto {
    #[prost(string, tag = "1")]
    pub(super) key: String,
    #[prost(string, tag = "2")]
    pub(super) value: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct GraphProto {
    #[prost(message, repeated, tag = "1")]
    pub(super) node: Vec<NodeProto>,
    #[prost(string, tag = "2")]
    pub(super) name: String,
    #[prost(message, repeated, tag = "5")]
    pub(super) initializer: Vec<TensorProto>,
    #[prost(message, repeated, tag = "11")]
    pub(super) input: Vec<ValueInfoProto>,
    #[prost(message, repeated, tag = "12")]
    pub(super) output: Vec<ValueInfoProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct NodeProto {
    #[prost(string, repeated, tag = "1")]
    pub(super) input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(super) output: Vec<String>,
    #[prost(string, tag = "3")]
    pub(super) name: String,
    #[prost(string, tag = "4")]
    pub(super) op_type: String,
    #[prost(message, repeated, tag = "5")]
    pub(super) attribute: Vec<AttributeProto>,
    #[prost(string, tag = "7")]
    pub(super) domain: String,
}

/// An attribute that is an integer, or several, or texts. An integer of 0 is written too: readers tell it from none.
#[derive(Clone, PartialEq, Message)]
pub(super) struct AttributeProto {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(int64, optional, tag = "3")]
    pub(super) i: Option<i64>,
    #[prost(int64, repeated, packed = "false", tag = "8")]
    pub(super) ints: Vec<i64>,
    #[prost(bytes = "vec", repeated, tag = "9")]
    pub(super) strings: Vec<Vec<u8>>,
    #[prost(int32, tag = "20")]
    pub(super) r#type: i32,
}

/// Numbers are little-endian in `raw_data`, texts in `string_data`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorProto {
    #[prost(int64, repeated, packed = "false", tag = "1")]
    pub(super) dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    pub(super) data_type: i32,
    #[prost(bytes = "vec", repeated, tag = "6")]
    pub(super) string_data: Vec<Vec<u8>>,
    #[prost(string, tag = "8")]
    pub(super) name: String,
    #[prost(bytes = "vec", optional, tag = "9")]
    pub(super) raw_data: Option<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ValueInfoProto {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(message, optional, tag = "2")]
    pub(super) r#type: Option<TypeProto>,
    #[prost(string, tag = "3")]
    pub(super) doc_string: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TypeProto {
    #[prost(message, optional, tag = "1")]
    pub(super) tensor_type: Option<TensorType>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorType {
    #[prost(int32, tag = "1")]
    pub(super) elem_type: i32,
    #[prost(message, optional, tag = "2")]
    pub(super) shape: Option<TensorShapeProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorShapeProto {
    #[prost(message, repeated, tag = "1")]
    pub(super) dim: Vec<Dimension>,
}

/// A length, or the name of one that may be any.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Dimension {
    #[prost(int64, optional, tag = "1")]
    pub(super) dim_value: Option<i64>,
    #[prost(string, optional, tag = "2")]
    pub(super) dim_param: Option<String>,
}

impl NodeProto {
    /// A node with one output, by which it is named.
    pub(super) fn new(op_type: &str, input: &[&str], output: &str) -> Self {
        NodeProto {
            input: input.iter().map(|&name| name.to_owned()).collect(),
            output: vec![output.to_owned()],
            name: output.to_owned(),
            op_type: op_type.to_owned(),
            attribute: Vec::new(),
            domain: String::new(),
        }
    }

    pub(super) fn with(self, name: &str, i: i64) -> Self {
        self.with_attribute(name, INT, |attribute| attribute.i = Some(i))
    }

    /// From texts to integers; −1 for any other text.
    pub(super) fn label_encoder(
        input: &str,
        keys: &[String],
        values: &[i64],
        output: &str,
    ) -> Self {
        let keys = keys.iter().map(|key| key.as_bytes().to_vec()).collect();
        let node = NodeProto::new("LabelEncoder", &[input], output)
            .with("default_int64", -1)
            .with_attribute("keys_strings", STRINGS, |attribute| attribute.strings = keys)
            .with_attribute("values_int64s", INTS, |attribute| attribute.ints = values.to_vec());
        NodeProto { domain: MACHINE_LEARNING.0.to_owned(), ..node }
    }

    fn with_attribute(
        mut self,
        name: &str,
        r#type: i32,
        set: impl FnOnce(&mut AttributeProto),
    ) -> Self {
        let mut attribute = AttributeProto { name: name.to_owned(), r#type, ..Default::default() };
        set(&mut attribute);
        self.attribute.push(attribute);
        self
    }

    pub(super) fn cast(input: &str, to: Element, output: &str) -> Self {
        NodeProto::new("Cast", &[input], output).with("to", to as i64)
    }
}

impl TensorProto {
    pub(super) fn doubles(name: &str, dims: &[usize], values: impl Iterator<Item = f64>) -> Self {
        let bytes = values.flat_map(f64::to_le_bytes).collect();
        TensorProto::new(name, dims, Element::Double, Some(bytes))
    }

    pub(super) fn integers(name: &str, values: &[i64]) -> Self {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        TensorProto::new(name, &[values.len()], Element::Int64, Some(bytes))
    }

    pub(super) fn texts(name: &str, values: &[&str]) -> Self {
        let string_data = values.iter().map(|text| text.as_bytes().to_vec()).collect();
        let tensor = TensorProto::new(name, &[values.len()], Element::Text, None);
        TensorProto { string_data, ..tensor }
    }

    fn new(name: &str, dims: &[usize], element: Element, raw_data: Option<Vec<u8>>) -> Self {
        TensorProto {
            dims: dims.iter().map(|&length| length as i64).collect(),
            data_type: element as i32,
            string_data: Vec::new(),
            name: name.to_owned(),
            raw_data,
        }
    }
}

impl ValueInfoProto {
    /// A tensor of any number of rows; with `columns`, each row has that many numbers.
    pub(super) fn rows(name: &str, element: Element, columns: Option<usize>, doc: String) -> Self {
        let rows = Dimension { dim_param: Some("N".to_owned()), dim_value: None };
        let columns =
            columns.map(|columns| Dimension { dim_value: Some(columns as i64), dim_param: None });
        let shape = TensorShapeProto { dim: std::iter::once(rows).chain(columns).collect() };
        let tensor = TensorType { elem_type: element as i32, shape: Some(shape) };
        ValueInfoProto {
            name: name.to_owned(),
            r#type: Some(TypeProto { tensor_type: Some(tensor) }),
            doc_string: doc,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes by hand: each field is its number times 8, plus 0 for a varint and 2 for bytes with a length.
    #[test]
    fn fields_have_their_numbers() {
        let tensor = TensorProto::integers("ab", &[-2]);
        let [dims, data_type, name] = [b"\x08\x01".as_slice(), b"\x10\x07", b"\x42\x02ab"];
        let raw_data = b"\x4a\x08\xfe\xff\xff\xff\xff\xff\xff\xff";
        assert_eq!(tensor.encode_to_vec(), [dims, data_type, name, raw_data].concat());
        let texts = TensorProto::texts("", &["x", "yz"]);
        let string_data = b"\x32\x01x\x32\x02yz";
        assert_eq!(texts.encode_to_vec(), [b"\x08\x02\x10\x08", string_data.as_slice()].concat());

        let node = NodeProto::new("Op", &["a", "b"], "c").with("k", 0);
        let attribute = b"\x2a\x08\x0a\x01k\x18\x00\xa0\x01\x02";
        let fields = [b"\x0a\x01a\x0a\x01b\x12\x01c\x1a\x01c\x22\x02Op".as_slice(), attribute];
        assert_eq!(node.encode_to_vec(), fields.concat());

        let value = ValueInfoProto::rows("X", Element::Float, Some(300), String::new());
        let shape = b"\x12\x0a\x0a\x03\x12\x01N\x0a\x03\x08\xac\x02";
        let r#type = [b"\x12\x10\x0a\x0e\x08\x01".as_slice(), shape].concat();
        assert_eq!(value.encode_to_vec(), [b"\x0a\x01X".to_vec(), r#type].concat());

        let entry =
            |key: &str| StringStringEntryProto { key: key.to_owned(), value: "v".to_owned() };
        let graph = GraphProto {
            node: vec![NodeProto::default()],
            name: "g".to_owned(),
            initializer: vec![TensorProto::default()],
            input: vec![ValueInfoProto::default()],
            output: vec![ValueInfoProto::default()],
        };
        let model = ModelProto {
            ir_version: IR_VERSION,
            producer_name: "p".to_owned(),
            producer_version: "1".to_owned(),
            doc_string: "d".to_owned(),
            graph: Some(graph),
            opset_import: vec![OperatorSetIdProto { version: OPSET, domain: String::new() }],
            metadata_props: vec![entry("k")],
        };
        let graph = b"\x3a\x0b\x0a\x00\x12\x01g\x2a\x00\x5a\x00\x62\x00";
        let around = [b"\x08\x08\x12\x01p\x1a\x011\x32\x01d".as_slice(), graph].concat();
        let after = b"\x42\x02\x10\x11\x72\x06\x0a\x01k\x12\x01v";
        assert_eq!(model.encode_to_vec(), [around, after.to_vec()].concat());
    }
}
